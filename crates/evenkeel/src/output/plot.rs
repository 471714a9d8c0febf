//! SVG charts in one house style.
//!
//! Plain data in, text out: the same data gives the same bytes. Values that are no numbers are left out, an empty
//! chart says that it is empty.
//!
//! ```text
//!   Chart ── svg() ─▶ String          Grid { panels: Vec<Chart> } ── svg() ─▶ String
//! ```
//!
//! # House style
//! White ground, light grid, no frame. The legend stands between title and data and covers nothing. Colours are
//! safe for colour-blind readers; `keel` and `cooperative` stand out, their rivals are neutral.

mod bars; // grouped bars
mod canvas; // the few shapes that charts are made of, on plotters' SVG backend
mod frame; // title, legend, axes
mod lines; // lines over x
mod palette; // which series has which colour
mod scale; // from values to places, ticks

use canvas::{Canvas, Rect};

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// What it shows.
    pub title: String,
    /// What runs along the bottom, with its unit. Empty: nothing is written.
    pub x_label: String,
    /// What runs up the side, with its unit. Empty: nothing is written.
    pub y_label: String,
    /// How it is drawn.
    pub kind: Kind,
    /// The data, in the order of the legend.
    pub series: Vec<Series>,
    /// Horizontal lines to compare with, such as a limit.
    pub rules: Vec<Rule>,
    /// Values that the vertical axis must reach, so that panels side by side can be compared.
    pub reach: Vec<f64>,
    /// Where the vertical axis of lines starts. None: at zero unless the data is far from it.
    pub floor: Option<f64>,
    /// Whether lines grow by factors up the side. Points at or below zero are left out then.
    pub log_y: bool,
}

/// How a chart is drawn.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Groups of bars, one group per category and in it one bar per series. The n-th point of a series belongs to
    /// the n-th category.
    Bars {
        /// Names of the groups.
        categories: Vec<String>,
        /// Whether values are written over the bars, where there is room.
        labels: bool,
    },
    /// One line per series.
    Lines {
        /// Whether x grows by factors. Points at or below zero are left out then.
        log_x: bool,
    },
}

/// One series of a chart. Its colour follows from its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// As the legend has it.
    pub name: String,
    /// The data.
    pub points: Vec<Point>,
}

/// One value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where along the bottom. Bars are placed by their order instead.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Lower and upper end of the error bar.
    pub spread: Option<(f64, f64)>,
}

/// A horizontal line to compare with.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Where.
    pub y: f64,
    /// Written beside it. Keep it short.
    pub label: String,
}

/// Several charts under one title and one legend.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    /// What they show together.
    pub title: String,
    /// Charts per row.
    pub columns: usize,
    /// The charts, row by row.
    pub panels: Vec<Chart>,
}

impl Series {
    /// Values for bars, one per category.
    pub fn bars(name: impl Into<String>, values: impl IntoIterator<Item = f64>) -> Series {
        Series::line(name, values.into_iter().enumerate().map(|(index, y)| (index as f64, y)))
    }

    /// Values for bars with the ends of their error bars: (value, low, high).
    pub fn bars_with_spread(
        name: impl Into<String>,
        values: impl IntoIterator<Item = (f64, f64, f64)>,
    ) -> Series {
        let point = |(index, (y, low, high)): (usize, (f64, f64, f64))| Point {
            x: index as f64,
            y,
            spread: Some((low, high)),
        };
        Series { name: name.into(), points: values.into_iter().enumerate().map(point).collect() }
    }

    /// Points of a line: (x, y).
    pub fn line(name: impl Into<String>, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
        let points = points.into_iter().map(|(x, y)| Point { x, y, spread: None }).collect();
        Series { name: name.into(), points }
    }
}

impl Chart {
    /// Grouped bars with values over them.
    pub fn bars(title: impl Into<String>, categories: impl IntoIterator<Item = impl Into<String>>) -> Chart {
        let categories = categories.into_iter().map(Into::into).collect();
        Chart::new(title, Kind::Bars { categories, labels: true })
    }

    /// Lines over a linear x.
    pub fn lines(title: impl Into<String>) -> Chart {
        Chart::new(title, Kind::Lines { log_x: false })
    }

    /// Two bars per node, its level in cpu and in io, in the order given: (node, cpu, io).
    pub fn by_node(title: impl Into<String>, nodes: &[(String, f64, f64)]) -> Chart {
        let mut chart = Chart::bars(title, nodes.iter().map(|(name, _, _)| name.as_str()));
        chart.kind = match chart.kind {
            Kind::Bars { categories, .. } => Kind::Bars { labels: categories.len() <= 8, categories },
            lines @ Kind::Lines { .. } => lines,
        };
        chart.series = vec![
            Series::bars("cpu", nodes.iter().map(|(_, cpu, _)| *cpu)),
            Series::bars("io", nodes.iter().map(|(_, _, io)| *io)),
        ];
        chart
    }

    fn new(title: impl Into<String>, kind: Kind) -> Chart {
        Chart {
            title: title.into(),
            x_label: String::new(),
            y_label: String::new(),
            kind,
            series: Vec::new(),
            rules: Vec::new(),
            reach: Vec::new(),
            floor: None,
            log_y: false,
        }
    }

    /// With labels on both axes.
    pub fn axes(mut self, x_label: impl Into<String>, y_label: impl Into<String>) -> Chart {
        (self.x_label, self.y_label) = (x_label.into(), y_label.into());
        self
    }

    /// With one more series.
    pub fn with(mut self, series: Series) -> Chart {
        self.series.push(series);
        self
    }

    /// With a line to compare with.
    pub fn rule(mut self, y: f64, label: impl Into<String>) -> Chart {
        self.rules.push(Rule { y, label: label.into() });
        self
    }

    /// With a vertical axis that reaches this value; may be repeated.
    pub fn reaching(mut self, value: f64) -> Chart {
        self.reach.push(value);
        self
    }

    /// With lines over a vertical axis that starts here, as far as the data does not lie below.
    pub fn from(mut self, value: f64) -> Chart {
        self.floor = Some(value);
        self
    }

    /// With lines over a vertical axis that grows by factors.
    pub fn by_factors(mut self) -> Chart {
        self.log_y = true;
        self
    }

    /// The chart as an SVG document.
    pub fn svg(&self) -> String {
        const SIZE: (i32, i32) = (920, 500);
        canvas::document(SIZE, |canvas| {
            let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
            let rest = frame::head(canvas, &self.title, &names, Rect::of_size(SIZE).inset(20));
            self.draw(canvas, rest);
        })
    }

    fn draw(&self, canvas: &mut Canvas, place: Rect) {
        match &self.kind {
            Kind::Bars { categories, labels } => bars::draw(canvas, self, categories, *labels, place),
            Kind::Lines { log_x } => lines::draw(canvas, self, *log_x, place),
        }
    }
}

impl Grid {
    /// The charts as one SVG document.
    pub fn svg(&self) -> String {
        /// Size of a panel with its title, and the space between panels.
        const PANEL: (i32, i32) = (440, 300);
        const GAP: i32 = 24;
        const PANEL_TITLE: i32 = 30;
        let columns = self.columns.clamp(1, 6) as i32;
        let rows = (self.panels.len() as i32 + columns - 1) / columns;
        let width = (columns * (PANEL.0 + GAP) + 40 - GAP).max(640);
        let names = self.names();
        let head = frame::head_height(&names, width - 40);
        let height = head + rows * (PANEL.1 + GAP) + 40 - GAP;
        canvas::document((width, height), |canvas| {
            let rest = frame::head(canvas, &self.title, &names, Rect::of_size((width, height)).inset(20));
            for (index, panel) in self.panels.iter().enumerate() {
                let (column, row) = (index as i32 % columns, index as i32 / columns);
                let left = rest.left + column * (PANEL.0 + GAP);
                let top = rest.top + row * (PANEL.1 + GAP);
                frame::panel_title(canvas, &panel.title, left, top);
                let place =
                    Rect { left, top: top + PANEL_TITLE, right: left + PANEL.0, bottom: top + PANEL.1 };
                panel.draw(canvas, place);
            }
        })
    }

    /// Names of all series, each once, in order of appearance.
    fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for series in self.panels.iter().flat_map(|panel| &panel.series) {
            if !names.contains(&series.name.as_str()) {
                names.push(&series.name);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests;
