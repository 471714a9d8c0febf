//! Which series has which colour: our own policies stand out, rivals are neutral, all can be told apart without
//! seeing hues.

use plotters::style::RGBColor;

pub const INK: RGBColor = RGBColor(34, 34, 34);
pub const SOFT: RGBColor = RGBColor(96, 96, 96);
pub const GRID: RGBColor = RGBColor(228, 228, 228);
pub const RULE: RGBColor = RGBColor(120, 120, 120);

/// The palette of Okabe and Ito, without black and yellow, which white ground does not carry.
const OTHERS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
];

/// How a series looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    pub colour: RGBColor,
    /// Whether it is what the chart is about.
    pub prominent: bool,
    /// Which mark its points have.
    pub mark: Mark,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    Circle,
    Square,
    Triangle,
    Diamond,
    Tick,
}

/// The look of a series by its name; `index` is its place in the legend and decides for unknown names.
pub fn look(name: &str, index: usize) -> Look {
    use Mark::{Circle, Diamond, Square, Tick, Triangle};
    let own = |red, green, blue| Look { colour: RGBColor(red, green, blue), prominent: true, mark: Circle };
    let rival = |red, green, blue, mark| Look { colour: RGBColor(red, green, blue), prominent: false, mark };
    match name {
        "keel" => own(213, 94, 0),
        "cooperative" => own(0, 114, 178),
        "none" => rival(206, 206, 206, Tick),
        "1d-cpu" => rival(170, 187, 200, Square),
        "1d-io" => rival(205, 190, 160, Triangle),
        "2d-iso" => rival(150, 150, 150, Diamond),
        "2d-wtd" => rival(105, 105, 105, Circle),
        "cpu" => own(0, 114, 178),
        "io" => own(230, 159, 0),
        _ => Look {
            colour: OTHERS[index % OTHERS.len()],
            prominent: true,
            mark: [Circle, Square, Triangle, Diamond][index % 4],
        },
    }
}
