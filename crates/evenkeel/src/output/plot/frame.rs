//! Title, legend and axes: all that stands around the data.

use plotters::style::text_anchor::{HPos, VPos};

use super::Chart;
use super::canvas::{Canvas, Rect, Type, text_width};
use super::palette::{GRID, INK, RULE, SOFT, look};
use super::scale::{Axis, short};

const TITLE: i32 = 19;
const LABEL: i32 = 13;
const TICK: i32 = 12;
const LEGEND_ROW: i32 = 22;
const SWATCH: i32 = 13;

/// Rows of a legend in this width: per entry its place.
fn legend_places(names: &[&str], width: i32) -> Vec<(i32, i32)> {
    let (mut x, mut row) = (0, 0);
    let mut places = Vec::new();
    for name in names {
        let needed = SWATCH + 7 + text_width(name, LABEL) + 18;
        if x > 0 && x + needed > width {
            (x, row) = (0, row + 1);
        }
        places.push((x, row));
        x += needed;
    }
    places
}

/// Height of title and legend together.
pub fn head_height(names: &[&str], width: i32) -> i32 {
    let rows = legend_places(names, width).last().map_or(0, |(_, row)| row + 1);
    38 + rows * LEGEND_ROW + 12
}

/// Draws title and legend, and gives what is left for the data.
pub fn head(canvas: &mut Canvas, title: &str, names: &[&str], place: Rect) -> Rect {
    let top = HPos::Left;
    canvas.text(title, (place.left, place.top), Type::new(TITLE, INK).bold().at(top, VPos::Top));
    for (index, (name, (x, row))) in names.iter().zip(legend_places(names, place.width())).enumerate() {
        let (left, middle) = (place.left + x, place.top + 38 + row * LEGEND_ROW + LEGEND_ROW / 2);
        let half = SWATCH / 2;
        let swatch = Rect { left, top: middle - half, right: left + SWATCH, bottom: middle - half + SWATCH };
        canvas.fill(swatch, look(name, index).colour);
        canvas.text(name, (left + SWATCH + 7, middle), Type::new(LABEL, INK));
    }
    Rect { top: place.top + head_height(names, place.width()), ..place }
}

pub fn panel_title(canvas: &mut Canvas, title: &str, left: i32, top: i32) {
    canvas.text(title, (left, top), Type::new(15, INK).bold().at(HPos::Left, VPos::Top));
}

/// Where the data goes once labels, ticks and the names of rules have their room.
pub fn data_place(chart: &Chart, y_ticks: &[f64], place: Rect) -> Rect {
    let widest = y_ticks.iter().map(|tick| text_width(&short(*tick), TICK)).max().unwrap_or(0);
    let rules = chart.rules.iter().map(|rule| text_width(&rule.label, TICK) + 8).max().unwrap_or(0);
    let side = if chart.y_label.is_empty() { 0 } else { 24 };
    let under = if chart.x_label.is_empty() { 0 } else { 24 };
    Rect {
        left: place.left + side + widest + 10,
        top: place.top + 4,
        right: place.right - rules.max(8),
        bottom: place.bottom - under - 24,
    }
}

/// Horizontal grid, its values, and the labels of both axes.
pub fn axes(canvas: &mut Canvas, chart: &Chart, y: Axis, y_ticks: &[f64], place: Rect, data: Rect) {
    for tick in y_ticks {
        let at = y.place(*tick);
        canvas.path(vec![(data.left, at), (data.right, at)], GRID, 1);
        let set = Type::new(TICK, SOFT).at(HPos::Right, VPos::Center);
        canvas.text(&short(*tick), (data.left - 8, at), set);
    }
    if !chart.y_label.is_empty() {
        let middle = (data.top + data.bottom) / 2;
        let set = Type::new(LABEL, INK).at(HPos::Center, VPos::Top).upwards();
        canvas.text(&chart.y_label, (place.left, middle), set);
    }
    if !chart.x_label.is_empty() {
        let middle = (data.left + data.right) / 2;
        let set = Type::new(LABEL, INK).at(HPos::Center, VPos::Bottom);
        canvas.text(&chart.x_label, (middle, place.bottom), set);
    }
}

/// A name or number under the data.
pub fn x_tick(canvas: &mut Canvas, text: &str, x: i32, data: Rect) {
    let set = Type::new(TICK, SOFT).at(HPos::Center, VPos::Top);
    canvas.text(text, (x, data.bottom + 8), set);
}

/// The line at the foot of the data.
pub fn foot(canvas: &mut Canvas, at: i32, data: Rect) {
    canvas.path(vec![(data.left, at), (data.right, at)], RULE, 1);
}

/// Lines to compare with, named to the right of the data.
pub fn rules(canvas: &mut Canvas, chart: &Chart, y: Axis, data: Rect) {
    for rule in chart.rules.iter().filter(|rule| rule.y.is_finite()) {
        let at = y.place(rule.y);
        canvas.dashes((data.left, data.right), at, RULE, 1);
        canvas.text(&rule.label, (data.right + 6, at), Type::new(TICK, SOFT));
    }
}

/// Says that there is nothing to show.
pub fn empty(canvas: &mut Canvas, data: Rect) {
    let middle = ((data.left + data.right) / 2, (data.top + data.bottom) / 2);
    canvas.text("no data", middle, Type::new(LABEL, SOFT).at(HPos::Center, VPos::Center));
}
