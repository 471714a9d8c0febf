//! The few shapes that charts are made of, on plotters' SVG backend.

use plotters::coord::Shift;
use plotters::element::{Drawable, PointCollection};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Plotters divides a font's size by this before it writes it.
const FONT_FACTOR: f64 = 1.24;
/// Mean width of a letter, as a part of the font's size. Long enough for DejaVu, the widest of the usual fonts.
const LETTER: f64 = 0.6;

/// A rectangle on the canvas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rect {
    pub left: i32,
    pub top: i32,
    pub right: i32,
    pub bottom: i32,
}

impl Rect {
    pub fn of_size((right, bottom): (i32, i32)) -> Rect {
        Rect { left: 0, top: 0, right, bottom }
    }

    pub fn inset(self, by: i32) -> Rect {
        Rect { left: self.left + by, top: self.top + by, right: self.right - by, bottom: self.bottom - by }
    }

    pub fn width(self) -> i32 {
        self.right - self.left
    }
}

/// How a text is set.
#[derive(Clone, Copy)]
pub struct Type {
    pub size: i32,
    pub bold: bool,
    pub colour: RGBColor,
    pub across: HPos,
    pub down: VPos,
    /// Whether it runs upwards.
    pub upwards: bool,
}

impl Type {
    pub fn new(size: i32, colour: RGBColor) -> Type {
        Type { size, bold: false, colour, across: HPos::Left, down: VPos::Center, upwards: false }
    }

    pub fn bold(self) -> Type {
        Type { bold: true, ..self }
    }

    pub fn at(self, across: HPos, down: VPos) -> Type {
        Type { across, down, ..self }
    }

    pub fn upwards(self) -> Type {
        Type { upwards: true, ..self }
    }
}

/// About how wide a text will be.
pub fn text_width(text: &str, size: i32) -> i32 {
    (text.chars().count() as f64 * f64::from(size) * LETTER).ceil() as i32
}

pub struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

/// Draws a document of this size.
pub fn document((width, height): (i32, i32), draw: impl FnOnce(&mut Canvas)) -> String {
    let mut text = String::new();
    {
        let size = (width.max(1) as u32, height.max(1) as u32);
        let mut canvas = Canvas { area: SVGBackend::with_string(&mut text, size).into_drawing_area() };
        canvas.fill(Rect::of_size((width, height)), WHITE);
        draw(&mut canvas);
        canvas.area.present().expect("an SVG in memory can always be written");
    }
    text
}

impl Canvas<'_> {
    fn add<E>(&self, element: &E)
    where
        for<'e> &'e E: PointCollection<'e, (i32, i32)>,
        E: for<'b> Drawable<SVGBackend<'b>>,
    {
        self.area.draw(element).expect("an SVG in memory can always be written");
    }

    pub fn fill(&mut self, place: Rect, colour: RGBColor) {
        let corners = [(place.left, place.top), (place.right, place.bottom)];
        self.add(&Rectangle::new(corners, colour.filled()));
    }

    pub fn path(&mut self, points: Vec<(i32, i32)>, colour: RGBColor, width: u32) {
        self.add(&PathElement::new(points, ShapeStyle::from(&colour).stroke_width(width)));
    }

    /// A horizontal line of dashes.
    pub fn dashes(&mut self, (left, right): (i32, i32), y: i32, colour: RGBColor, width: u32) {
        let mut x = left;
        while x < right {
            self.path(vec![(x, y), ((x + 6).min(right), y)], colour, width);
            x += 10;
        }
    }

    pub fn dot(&mut self, centre: (i32, i32), radius: i32, colour: RGBColor) {
        self.add(&Circle::new(centre, radius, colour.filled()));
    }

    pub fn polygon(&mut self, points: Vec<(i32, i32)>, colour: RGBColor) {
        self.add(&Polygon::new(points, colour.filled()));
    }

    pub fn text(&mut self, text: &str, at: (i32, i32), set: Type) {
        let style = if set.bold { FontStyle::Bold } else { FontStyle::Normal };
        let turn = if set.upwards { FontTransform::Rotate270 } else { FontTransform::None };
        let font =
            FontDesc::new(FontFamily::SansSerif, f64::from(set.size) * FONT_FACTOR, style).transform(turn);
        let style = font.color(&set.colour).pos(Pos::new(set.across, set.down));
        self.add(&Text::new(text.to_string(), at, style));
    }
}
