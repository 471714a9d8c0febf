//! Grouped bars, with error bars and values over them.

use plotters::style::text_anchor::{HPos, VPos};

use super::canvas::{Canvas, Rect, Type, text_width};
use super::palette::{INK, SOFT, look};
use super::scale::{Axis, drawable, even, short};
use super::{Chart, Point, frame};

const STEPS: usize = 5;
const VALUE: i32 = 11;
/// Most of a group's width that bars take, and the widest bar.
const FILLED: f64 = 0.8;
const BAR_MAX: f64 = 56.0;

pub fn draw(canvas: &mut Canvas, chart: &Chart, categories: &[String], labels: bool, place: Rect) {
    let axis = |ends| Axis::new(values(chart), ends, false).rounded(STEPS);
    let ticks = axis((0, 1)).ticks(STEPS);
    let data = frame::data_place(chart, &ticks, place);
    // Air above the highest bar for its value.
    let air = if labels { 14 } else { 0 };
    let y = axis((data.bottom, data.top + air));
    frame::axes(canvas, chart, y, &ticks, place, data);
    let slots = Slots::new(categories.len(), chart.series.len(), data);
    let foot = y.place(0.0);
    let whole = chart.series.iter().flat_map(|series| &series.points).all(|point| point.y.fract() == 0.0);
    let written = if whole { short } else { even };
    for (index, series) in chart.series.iter().enumerate() {
        let colour = look(&series.name, index).colour;
        for (group, point) in series.points.iter().enumerate().take(categories.len()) {
            let Some(value) = drawable(point.y) else { continue };
            let (left, right) = slots.bar(group, index);
            let tip = y.place(value);
            canvas.fill(Rect { left, top: tip.min(foot), right, bottom: tip.max(foot) }, colour);
            let top = spread(canvas, point, (left, right), y).min(tip);
            if labels {
                label(canvas, &written(value), (left, right), top, slots.pitch);
            }
        }
    }
    frame::foot(canvas, foot, data);
    slots.names(canvas, categories, data);
    frame::rules(canvas, chart, y, data);
    let any = chart.series.iter().flat_map(|series| &series.points).any(|point| point.y.is_finite());
    if categories.is_empty() || !any {
        frame::empty(canvas, data);
    }
}

/// All that must fit: values, error bars, rules, and the foot of the bars.
fn values(chart: &Chart) -> impl Iterator<Item = f64> + '_ {
    let points = chart.series.iter().flat_map(|series| &series.points);
    let ends = |point: &Point| {
        let (low, high) = point.spread.unwrap_or((point.y, point.y));
        [point.y, low, high]
    };
    points
        .flat_map(ends)
        .chain(chart.rules.iter().map(|rule| rule.y))
        .chain(chart.reach.iter().copied())
        .chain([0.0])
}

/// Places of groups and of the bars in them.
struct Slots {
    left: i32,
    group: f64,
    /// From one bar to the next.
    pitch: f64,
    start: f64,
}

impl Slots {
    fn new(groups: usize, bars: usize, data: Rect) -> Slots {
        let group = f64::from(data.width()) / groups.max(1) as f64;
        let bars = bars.max(1) as f64;
        let pitch = (group * FILLED / bars).min(BAR_MAX);
        Slots { left: data.left, group, pitch, start: (group - pitch * bars) / 2.0 }
    }

    /// Left and right edge of a bar, at least one apart.
    fn bar(&self, group: usize, index: usize) -> (i32, i32) {
        let from = f64::from(self.left) + self.group * group as f64 + self.start + self.pitch * index as f64;
        let gap = if self.pitch > 6.0 { 2.0 } else { 0.0 };
        let (left, right) = (from.round() as i32, (from + self.pitch - gap).round() as i32);
        (left, right.max(left + 1))
    }

    /// The names under the groups; every n-th when they would touch.
    fn names(&self, canvas: &mut Canvas, categories: &[String], data: Rect) {
        let widest = categories.iter().map(|name| text_width(name, 12)).max().unwrap_or(0) + 6;
        let stride = (f64::from(widest) / self.group.max(1e-3)).ceil().max(1.0) as usize;
        for (index, name) in categories.iter().enumerate().step_by(stride) {
            let middle = f64::from(self.left) + self.group * (index as f64 + 0.5);
            frame::x_tick(canvas, name, middle.round() as i32, data);
        }
    }
}

/// Draws the error bar, if any, and gives its upper end.
fn spread(canvas: &mut Canvas, point: &Point, (left, right): (i32, i32), y: Axis) -> i32 {
    let ends = point.spread.and_then(|(low, high)| Some((drawable(low)?, drawable(high)?)));
    let Some((low, high)) = ends else { return i32::MAX };
    let (low, high, middle) = (y.place(low), y.place(high), (left + right) / 2);
    let half = ((right - left) / 5).clamp(1, 5);
    canvas.path(vec![(middle, low), (middle, high)], SOFT, 1);
    for end in [low, high] {
        canvas.path(vec![(middle - half, end), (middle + half, end)], SOFT, 1);
    }
    high
}

/// Writes a value over its bar: upwards when the bar is narrow, not at all when it is a hair.
fn label(canvas: &mut Canvas, text: &str, (left, right): (i32, i32), top: i32, pitch: f64) {
    let middle = (left + right) / 2;
    let set = Type::new(VALUE, INK);
    if f64::from(text_width(text, VALUE)) <= pitch + 6.0 {
        canvas.text(text, (middle, top - 4), set.at(HPos::Center, VPos::Bottom));
    } else if pitch >= 11.0 {
        canvas.text(text, (middle, top - 4), set.at(HPos::Left, VPos::Center).upwards());
    }
}
