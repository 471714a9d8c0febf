//! A plan in the form for people: nodes before and after as bars, steps with reasons, refusals with reasons.

use balance::{Dimension, NodeId, NodeState, Op, Refusal, Step};

use super::{Planned, levels};
use crate::output::bars::Scale;
use crate::output::screen::{Screen, Tone};
use crate::output::text::{bytes, count, hang, percent};

/// Nodes shown one by one; larger clusters show their ends.
const NODES_MAX: usize = 16;
/// Nodes shown of a larger cluster, from the full end and from the empty one.
const FULLEST: usize = 8;
const EMPTIEST: usize = 4;
/// Steps and refusals shown unless all are asked for.
const STEPS_MAX: usize = 20;
const REFUSALS_MAX: usize = 8;
/// Parts of a split that are listed.
const PARTS_MAX: usize = 4;

/// How much to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// What tells most: the first steps and refusals.
    Telling,
    /// Everything.
    All,
}

impl Extent {
    fn of(self, limit: usize, available: usize) -> usize {
        match self {
            Extent::Telling => limit.min(available),
            Extent::All => available,
        }
    }
}

/// One node in one dimension.
#[derive(Debug, Clone, Copy)]
struct Row {
    id: NodeId,
    state: NodeState,
    before: f64,
    after: f64,
}

/// The whole report.
pub fn render(planned: &Planned, extent: Extent, screen: Screen) -> String {
    [
        header(planned, screen),
        bars(planned, screen),
        verdict(planned, screen),
        steps(planned, extent, screen),
        refusals(&planned.plan.rejected, extent, screen),
        hang("stopped  ", &planned.plan.stopped, screen.width),
    ]
    .concat()
}

fn header(planned: &Planned, screen: Screen) -> String {
    let plan = &planned.plan;
    let text = format!(
        "policy {} · λ {} · {} · {} · seed {} · planned in {}",
        plan.policy,
        plan.lambda,
        count(planned.before.nodes().len(), "node"),
        count(planned.before.regions().len(), "region"),
        plan.seed,
        duration(planned.planning_ms)
    );
    format!("{}\n\n", screen.paint(Tone::Strong, &text))
}

fn bars(planned: &Planned, screen: Screen) -> String {
    let (before, after) = (levels::of(&planned.before), levels::of(&planned.after));
    let limit = 1.0 + planned.plan.lambda;
    let all = before.iter().chain(&after).flat_map(|level| level.0);
    let alive = planned.before.nodes().iter().enumerate().filter(|(_, node)| node.state != NodeState::Down);
    let labels =
        planned.before.nodes().iter().map(|node| node.id.to_string().len()).max().unwrap_or(2).max(4);
    // Two bars, two numbers of six columns, and the gaps between them.
    let scale = Scale::fitting(all, limit, (screen.width - labels - 20) / 2);
    let mut out = String::new();
    for dimension in Dimension::ALL {
        let row = |(index, node): (usize, &balance::Node)| Row {
            id: node.id,
            state: node.state,
            before: before[index].get(dimension),
            after: after[index].get(dimension),
        };
        let rows: Vec<Row> = alive.clone().map(row).collect();
        out += &block(dimension, &rows, scale, labels, screen);
    }
    let down: Vec<String> = planned
        .before
        .nodes()
        .iter()
        .filter(|node| node.state == NodeState::Down)
        .map(|node| node.id.to_string())
        .collect();
    if !down.is_empty() {
        out += &hang("down  ", &down.join(", "), screen.width);
        out += "\n";
    }
    out
}

fn block(dimension: Dimension, rows: &[Row], scale: Scale, labels: usize, screen: Screen) -> String {
    let half = scale.width + 8;
    let heading = format!("{dimension:<labels$}  {:<half$}{}", "before", "after");
    let limit = format!("{:.2}", scale.limit);
    // The limit's value stands over its mark, where the word to its left leaves room.
    let place = |text: String| {
        let mut cells: Vec<char> = text.chars().collect();
        for start in [labels + 2, labels + 2 + half] {
            let at = start + scale.mark().saturating_sub(1).max("before".len() + 1);
            cells.resize(cells.len().max(at + limit.len()), ' ');
            cells.splice(at..at + limit.len(), limit.chars());
        }
        cells.into_iter().collect::<String>()
    };
    let mut out = format!("{}\n", screen.paint(Tone::Strong, &place(heading)));
    if rows.len() <= NODES_MAX {
        rows.iter().for_each(|row| out += &line(*row, scale, labels, screen));
    } else {
        let mut order = rows.to_vec();
        order.sort_by(|a, b| b.before.total_cmp(&a.before).then(a.id.cmp(&b.id)));
        let (fullest, rest) = order.split_at(FULLEST);
        let (middle, emptiest) = rest.split_at(rest.len() - EMPTIEST);
        fullest.iter().for_each(|row| out += &line(*row, scale, labels, screen));
        out += &between(middle, labels, screen);
        emptiest.iter().for_each(|row| out += &line(*row, scale, labels, screen));
    }
    out + "\n"
}

fn line(row: Row, scale: Scale, labels: usize, screen: Screen) -> String {
    let number = |value: f64| {
        let tone = if value > scale.limit { Tone::Bad } else { Tone::Plain };
        screen.paint(tone, &format!("{value:>5.2}"))
    };
    let state = if row.state == NodeState::Draining { " draining" } else { "" };
    format!(
        "{:<labels$}  {} {}  {} {}{state}\n",
        row.id.to_string(),
        scale.bar(row.before, screen),
        number(row.before),
        scale.bar(row.after, screen),
        number(row.after),
    )
}

/// The nodes that are not shown, as ranges.
fn between(rows: &[Row], labels: usize, screen: Screen) -> String {
    let range = |read: fn(&Row) -> f64| {
        let values = rows.iter().map(read);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        format!("{low:.2} to {high:.2}")
    };
    let text = format!(
        "{} in between, not shown: {} before, {} after",
        count(rows.len(), "node"),
        range(|row| row.before),
        range(|row| row.after)
    );
    format!("{:<labels$}  {}\n", "…", screen.paint(Tone::Faint, &text))
}

fn verdict(planned: &Planned, screen: Screen) -> String {
    let plan = &planned.plan;
    let change = |dimension: Dimension| {
        format!("{dimension} {:.2} → {:.2}", plan.before.get(dimension), plan.after.get(dimension))
    };
    let limit = 1.0 + plan.lambda;
    let (tone, words) = match (plan.balanced, plan.after.worst() <= limit + 1e-9) {
        (true, _) => (Tone::Good, format!("balanced: within {limit:.2}")),
        (false, true) => (Tone::Bad, "not done: load is left on draining nodes".to_string()),
        (false, false) => (Tone::Bad, format!("not balanced: above {limit:.2}")),
    };
    let changes = Dimension::ALL.map(change).join("   ");
    format!("Max/Mean   {changes}   {}\n", screen.paint(tone, &words)) + &totals(planned, screen)
}

fn totals(planned: &Planned, screen: Screen) -> String {
    let tally = &planned.tally;
    let mut words = vec![count(tally.moves, "move")];
    let mut add = |number: usize, noun: &str| {
        if number > 0 {
            words.push(count(number, noun));
        }
    };
    add(tally.transfers, "leader transfer");
    add(tally.new_regions, "new region");
    add(tally.merges, "merge");
    if tally.moves + tally.transfers > 0 {
        let (cpu, io) = (percent(tally.moved_cpu), percent(tally.moved_io));
        words.push(format!("{cpu} of cpu and {io} of io load moved"));
    }
    words.extend(copied(planned));
    hang("In all     ", &words.join(", "), screen.width) + "\n"
}

fn copied(planned: &Planned) -> Option<String> {
    let tally = &planned.tally;
    let amount = bytes(tally.copied_bytes);
    match (tally.moves, tally.moves_with_size) {
        (0, _) => None,
        (_, 0) => Some("sizes unknown".to_string()),
        (all, known) if all == known => Some(format!("{amount} copied")),
        (all, known) => Some(format!("at least {amount} copied (size known for {known} of {all})")),
    }
}

fn duration(milliseconds: f64) -> String {
    if milliseconds < 10.0 { format!("{milliseconds:.1} ms") } else { format!("{milliseconds:.0} ms") }
}

fn steps(planned: &Planned, extent: Extent, screen: Screen) -> String {
    let steps = &planned.plan.steps;
    if steps.is_empty() {
        return format!("{}\n\n", screen.paint(Tone::Strong, "no steps"));
    }
    let shown = &steps[..extent.of(STEPS_MAX, steps.len())];
    let what: Vec<[String; 3]> = shown.iter().map(words).collect();
    let width = |column: usize| what.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    let digits = shown.len().to_string().len().max(2);
    let mut out = format!("{}\n", screen.paint(Tone::Strong, "steps"));
    for (index, (step, [verb, region, way])) in shown.iter().zip(&what).enumerate() {
        let lead = format!("{:>digits$}  {verb:<first$}  {region:<second$}  {way:<third$}  ", index + 1);
        out += &hang(&lead, &reason(step), screen.width);
    }
    out + &rest(steps.len() - shown.len(), "step", screen) + "\n"
}

/// Verb, region, way.
fn words(step: &Step) -> [String; 3] {
    match &step.op {
        Op::Split { region, parts } => ["split".into(), region.to_string(), format!("in {}", parts.len())],
        Op::Move { region, from, to } => ["move".into(), region.to_string(), format!("{from} → {to}")],
        Op::TransferLeader { region, from, to } => {
            ["lead".into(), region.to_string(), format!("{from} → {to}")]
        }
        Op::Merge { regions, into } => {
            let names: Vec<String> = regions.iter().map(ToString::to_string).collect();
            ["merge".into(), names.join("+"), format!("→ {into}")]
        }
    }
}

fn reason(step: &Step) -> String {
    let Op::Split { parts, .. } = &step.op else { return step.why.clone() };
    let mut names: Vec<String> =
        parts.iter().take(PARTS_MAX).map(|part| format!("{} {}", part.region, percent(part.share))).collect();
    if parts.len() > PARTS_MAX {
        names.push(format!("{} more", parts.len() - PARTS_MAX));
    }
    format!("{}: {}", names.join(", "), step.why)
}

fn refusals(all: &[Refusal], extent: Extent, screen: Screen) -> String {
    if all.is_empty() {
        return String::new();
    }
    let shown = &all[..extent.of(REFUSALS_MAX, all.len())];
    let way = |refusal: &Refusal| match refusal.to {
        Some(to) => format!("{} → {to}", refusal.from),
        None => format!("on {}", refusal.from),
    };
    let regions = shown.iter().map(|refusal| refusal.region.to_string().len()).max().unwrap_or(0);
    let ways = shown.iter().map(|refusal| way(refusal).chars().count()).max().unwrap_or(0);
    let mut out = format!("{}\n", screen.paint(Tone::Strong, "looked at and refused"));
    for refusal in shown {
        let lead = format!("    {:<regions$}  {:<ways$}  ", refusal.region.to_string(), way(refusal));
        out += &hang(&lead, &refusal.why, screen.width);
    }
    out + &rest(all.len() - shown.len(), "refusal", screen) + "\n"
}

fn rest(number: usize, noun: &str, screen: Screen) -> String {
    match number {
        0 => String::new(),
        _ => {
            let text = format!("  … and {} (--all shows them)", count(number, &format!("more {noun}")));
            format!("{}\n", screen.paint(Tone::Faint, &text))
        }
    }
}
