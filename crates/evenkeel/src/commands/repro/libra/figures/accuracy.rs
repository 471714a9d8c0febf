//! Figure 16: how near cuts come to the wanted share of load, judged on requests that the cut has not seen.

use balance::split_point::{Sample, Weigh, split_point};
use balance::{Node, Region, View};
use workload::{Request, Spec, Workload, rng};

use super::super::compare::Comparison;
use super::super::figure::{Data, Figure};
use super::super::lab::Lab;
use super::super::paper;
use crate::error::Error;
use crate::output::plot::{Chart, Grid, Series};
use crate::output::table::Table;

const TARGETS: [f64; 5] = [0.1, 0.2, 0.3, 0.4, 0.5];
const DIMENSIONS: [(&str, Weigh); 2] = [("cpu", Weigh::Requests), ("io", Weigh::Bytes)];
/// Regions of a key space, as in the other figures.
const REGIONS: u64 = 800;
/// Requests drawn per key space, half of them to cut by and half to judge by.
const DRAWN: usize = 400_000;
/// Fewest and most requests a region is cut by: as many as a few busy seconds bring.
const SAMPLES: (usize, usize) = (200, 2_000);

fn failed(cause: &dyn std::fmt::Display) -> Error {
    Error::failed(format!("a load of the paper cannot be drawn ({cause}): this is a bug, please report it"))
}

/// A region with the requests it is cut by and the fresh ones it is judged by.
struct Case {
    seen: Vec<Sample<u64>>,
    fresh: Vec<Sample<u64>>,
    /// Keys that cut its data at each target.
    by_size: Vec<u64>,
}

/// Error of one way to cut in one dimension at one target, in percent, and in how many regions it could cut.
#[derive(Default, Clone, Copy)]
struct Score {
    error: f64,
    count: f64,
}

impl Score {
    fn add(&mut self, error: f64) {
        self.error += error;
        self.count += 1.0;
    }

    fn mean(self) -> f64 {
        self.error / self.count * 100.0
    }
}

/// Load splits against size splits.
pub fn fig16(lab: &mut Lab) -> Result<Figure, Error> {
    let wanted = lab.pick(500, 20);
    let cases = cases(lab, wanted)?;
    let mut table = Table::new([
        "dimension",
        "target",
        "load split error %",
        "size split error %",
        "regions cut by load",
    ]);
    let mut data = Data::new(["dimension", "target", "load_error", "size_error", "regions_cut_by_load"]);
    let (mut panels, mut means) = (Vec::new(), Vec::new());
    for (dimension, weigh) in DIMENSIONS {
        let scores: Vec<(Score, Score)> =
            (0..TARGETS.len()).map(|target| scored(&cases, target, weigh)).collect();
        let mut chart =
            Chart::bars(format!("error of the {dimension} share"), TARGETS.map(|target| target.to_string()))
                .axes("wanted share of the load", "error, % of the wanted share");
        chart = chart.with(Series::bars("load split", scores.iter().map(|(load, _)| load.mean())));
        panels.push(chart.with(Series::bars("size split", scores.iter().map(|(_, size)| size.mean()))));
        for (target, (load, size)) in TARGETS.iter().zip(&scores) {
            data.row(&[dimension, &target.to_string()], &[load.mean(), size.mean(), load.count]);
            table.row([
                dimension.to_string(),
                target.to_string(),
                format!("{:.1}", load.mean()),
                format!("{:.1}", size.mean()),
                format!("{:.0} of {}", load.count, cases.len()),
            ]);
        }
        let mean = |read: fn(&(Score, Score)) -> Score| {
            scores.iter().map(|pair| read(pair).mean()).sum::<f64>() / TARGETS.len() as f64
        };
        means.push((dimension, mean(|pair| pair.0), mean(|pair| pair.1)));
    }
    let mut comparisons = Vec::new();
    for (dimension, load, size) in means {
        comparisons.push(Comparison::value(
            format!("load split, {dimension}"),
            " %",
            paper::SPLIT_ERROR_LOAD,
            load,
        ));
        comparisons.push(Comparison::words(
            format!("size split, {dimension}"),
            "more than 40 %",
            format!("{size:.1} %"),
            size > paper::SPLIT_ERROR_SIZE,
        ));
    }
    Ok(Figure {
        name: "fig16",
        title: "how exact cuts are",
        setting: format!(
            "{} regions of Mixgraph writes with different hot ranges, each cut by up to {} sampled requests at the wanted share, or at \
             the same share of its data; the error is |wanted − actual| / wanted on fresh requests.",
            cases.len(),
            SAMPLES.1
        ),
        table,
        svg: Grid { title: "Error of load splits and size splits".into(), columns: 2, panels }.svg(),
        comparisons,
        remarks: "Load splits err by what a sample of requests can tell; a cut that the sample does not allow, as through a single hot key, is \
                  refused and counted as not cut. Regions hold several ranges of very different heat, so shares of data say little about \
                  shares of load. The disk's share is judged by user bytes.",
        data,
    })
}

fn scored(cases: &[Case], target: usize, weigh: Weigh) -> (Score, Score) {
    let wanted = TARGETS[target];
    let (mut load, mut size) = (Score::default(), Score::default());
    for case in cases {
        let error =
            |key: u64| (balance::split_point::left_share(&case.fresh, &key, weigh) - wanted).abs() / wanted;
        if let Ok(cut) = split_point(&case.seen, wanted, weigh) {
            load.add(error(cut.key));
        }
        size.add(error(case.by_size[target]));
    }
    (load, size)
}

/// Regions with enough requests, from as many layouts of the hot ranges as needed.
fn cases(lab: &Lab, wanted: usize) -> Result<Vec<Case>, Error> {
    /// Layouts tried before giving up on the wanted number.
    const LAYOUTS_MAX: u64 = 100;
    let mut found = Vec::new();
    for layout in 0..LAYOUTS_MAX {
        let mut spec =
            Spec { seed: lab.seed.wrapping_add(layout), ..lab.setting("mixgraph-write")?.workload };
        spec.records = spec.records.max(REGIONS);
        let mut load = spec.build().map_err(|cause| failed(&cause))?;
        let mut draws = rng(spec.seed, 16);
        let mut requests: Vec<(usize, Request)> = Vec::with_capacity(DRAWN);
        requests.extend((0..DRAWN).map(|index| (index, load.next(0.0, &mut draws))));
        requests.sort_by_key(|(index, request)| (request.key, *index));
        for region in 0..REGIONS {
            let bound = |region: u64| load.key_space() * region / REGIONS;
            let (start, end) = (bound(region), bound(region + 1));
            let below = |key: u64| requests.partition_point(|(_, request)| request.key < key);
            found.extend(case(&requests[below(start)..below(end)], load.as_ref(), (start, end)));
            if found.len() == wanted {
                return Ok(found);
            }
        }
    }
    Ok(found)
}

fn case(requests: &[(usize, Request)], load: &dyn Workload, (start, end): (u64, u64)) -> Option<Case> {
    let half = |odd: bool| -> Vec<(usize, Sample<u64>)> {
        let chosen = requests.iter().filter(|(index, _)| (index % 2 == 1) == odd);
        let sample = |request: &Request| Sample {
            start: request.key,
            end: request.key + u64::from(request.rows.max(1)) - 1,
            bytes: u64::from(request.value_bytes),
        };
        chosen.map(|(index, request)| (*index, sample(request))).collect()
    };
    let mut seen = half(false);
    // The earliest requests, as in a window of time.
    seen.sort_by_key(|(index, _)| *index);
    seen.truncate(SAMPLES.1);
    if seen.len() < SAMPLES.0 {
        return None;
    }
    let plain = |pairs: Vec<(usize, Sample<u64>)>| pairs.into_iter().map(|(_, sample)| sample).collect();
    let by_size = TARGETS.iter().map(|target| size_key(load, (start, end), *target)).collect();
    Some(Case { seen: plain(seen), fresh: plain(half(true)), by_size })
}

/// The key left of which this share of the data lies.
fn size_key(load: &dyn Workload, (start, end): (u64, u64), share: f64) -> u64 {
    let wanted = load.bytes_between(start, end) as f64 * share;
    let (mut low, mut high) = (start, end);
    while low < high {
        let middle = low + (high - low) / 2;
        if (load.bytes_between(start, middle) as f64) < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// A cluster under this load, as a manager may see it: equal regions, leaders in turn, loads as drawn.
pub fn view(spec: &Spec, nodes: u32, regions: u32, seed: u64) -> Result<View, Error> {
    let mut load = spec.build().map_err(|cause| failed(&cause))?;
    let mut draws = rng(seed, 19);
    let mut loads = vec![balance::Load::ZERO; regions as usize];
    for _ in 0..DRAWN {
        let request = load.next(0.0, &mut draws);
        let region = u128::from(request.key) * u128::from(regions) / u128::from(load.key_space());
        loads[region as usize] += balance::Load::new(1.0, f64::from(request.value_bytes) / 1e3);
    }
    let nodes: Vec<Node> = (1..=nodes).map(|id| Node::new(id.into())).collect();
    let regions = loads.iter().enumerate().map(|(index, load)| {
        let node = nodes[index % nodes.len()].id;
        Region::new(index as u64 + 1, node.0, *load)
    });
    View::new(nodes.clone(), regions.collect()).map_err(|cause| failed(&cause))
}
