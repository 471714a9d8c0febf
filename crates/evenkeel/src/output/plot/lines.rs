//! Lines over x. What is no number leaves a gap.

use super::canvas::{Canvas, Rect, text_width};
use super::palette::{Look, Mark, SOFT, look};
use super::scale::{Axis, drawable, short};
use super::{Chart, Series, frame};

const STEPS: usize = 5;
/// Points are marked one by one up to this many per series; more would merge into a band.
const MARKS_MAX: usize = 24;
/// Up to this many different x are ticks themselves.
const OWN_TICKS_MAX: usize = 10;

pub fn draw(canvas: &mut Canvas, chart: &Chart, log_x: bool, place: Rect) {
    let y_axis = |ends| Axis::new(heights(chart), ends, chart.log_y).rounded(STEPS);
    let y_ticks = y_axis((0, 1)).ticks(STEPS);
    let data = frame::data_place(chart, &y_ticks, place);
    let y = y_axis((data.bottom, data.top));
    let xs = || chart.series.iter().flat_map(|series| &series.points).map(|point| point.x);
    let x = Axis::new(xs(), (data.left + 8, data.right - 8), log_x);
    frame::axes(canvas, chart, y, &y_ticks, place, data);
    for tick in ticks(xs(), x, log_x) {
        frame::x_tick(canvas, &short(tick), x.place(tick), data);
    }
    frame::foot(canvas, data.bottom, data);
    frame::rules(canvas, chart, y, data);
    let mut order: Vec<(usize, &Series)> = chart.series.iter().enumerate().collect();
    // What the chart is about lies on top.
    order.sort_by_key(|(index, series)| (look(&series.name, *index).prominent, *index));
    let mut drawn = false;
    for (index, series) in order {
        drawn |= line(canvas, series, look(&series.name, index), (x, y), (log_x, chart.log_y));
    }
    if !drawn {
        frame::empty(canvas, data);
    }
}

/// All heights that must fit. Unless told otherwise, the axis starts at zero if the data is not far from it.
fn heights(chart: &Chart) -> impl Iterator<Item = f64> {
    let points = chart.series.iter().flat_map(|series| &series.points);
    let ends = points.flat_map(|point| {
        let (low, high) = point.spread.unwrap_or((point.y, point.y));
        [point.y, low, high]
    });
    let others = chart.rules.iter().map(|rule| rule.y).chain(chart.reach.iter().copied());
    let mut all: Vec<f64> = ends.chain(others).filter_map(drawable).collect();
    let low = all.iter().copied().fold(f64::INFINITY, f64::min);
    let high = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    match chart.floor {
        _ if chart.log_y => {}
        Some(floor) => all.push(floor),
        None if low >= 0.0 && low < 0.6 * high => all.push(0.0),
        None => {}
    }
    all.into_iter()
}

/// The values of x themselves if they are few and apart, else round numbers.
fn ticks(xs: impl Iterator<Item = f64>, x: Axis, log: bool) -> Vec<f64> {
    let mut own: Vec<f64> = xs.filter_map(drawable).filter(|value| !log || *value > 0.0).collect();
    own.sort_by(f64::total_cmp);
    own.dedup();
    let room = |pair: &[f64]| {
        let needed = (text_width(&short(pair[0]), 12) + text_width(&short(pair[1]), 12)) / 2 + 10;
        (x.place(pair[1]) - x.place(pair[0])) >= needed
    };
    if own.len() <= OWN_TICKS_MAX && own.windows(2).all(room) { own } else { x.ticks(8) }
}

/// Draws one series; says whether there was anything to draw.
fn line(canvas: &mut Canvas, series: &Series, look: Look, (x, y): (Axis, Axis), log: (bool, bool)) -> bool {
    let mut pieces: Vec<Vec<(i32, i32)>> = vec![Vec::new()];
    for point in &series.points {
        let place = |value: f64, log: bool| drawable(value).filter(|value| !log || *value > 0.0);
        let known = place(point.x, log.0).zip(place(point.y, log.1));
        match (known, pieces.last_mut()) {
            (Some((at, height)), Some(piece)) => {
                piece.push((x.place(at), y.place(height)));
                whisker(canvas, point.spread, x.place(at), y);
            }
            _ => pieces.push(Vec::new()),
        }
    }
    let width = if look.prominent { 3 } else { 2 };
    for piece in pieces.iter().filter(|piece| piece.len() > 1) {
        canvas.path(piece.clone(), look.colour, width);
    }
    let points: Vec<(i32, i32)> = pieces.into_iter().flatten().collect();
    if points.len() <= MARKS_MAX {
        points.iter().for_each(|point| mark(canvas, *point, look));
    }
    !points.is_empty()
}

fn whisker(canvas: &mut Canvas, spread: Option<(f64, f64)>, x: i32, y: Axis) {
    let ends = spread.and_then(|(low, high)| Some((drawable(low)?, drawable(high)?)));
    if let Some((low, high)) = ends {
        canvas.path(vec![(x, y.place(low)), (x, y.place(high))], SOFT, 1);
    }
}

fn mark(canvas: &mut Canvas, (x, y): (i32, i32), look: Look) {
    let size = if look.prominent { 5 } else { 4 };
    match look.mark {
        Mark::Circle => canvas.dot((x, y), size, look.colour),
        Mark::Square => canvas
            .fill(Rect { left: x - size, top: y - size, right: x + size, bottom: y + size }, look.colour),
        Mark::Triangle => {
            canvas.polygon(vec![(x - size, y + size), (x + size, y + size), (x, y - size)], look.colour);
        }
        Mark::Diamond => {
            canvas.polygon(vec![(x - size, y), (x, y + size), (x + size, y), (x, y - size)], look.colour);
        }
        Mark::Tick => canvas.path(vec![(x, y - size), (x, y + size)], look.colour, 2),
    }
}
