//! A small writer of SVG: just the shapes a plot needs.

use super::style::{FONT, Stroke};
use std::fmt::Write;

/// An SVG document that grows shape by shape.
pub(super) struct Svg {
    text: String,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

/// A rectangle in pixels.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Area {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl Area {
    pub(super) fn right(self) -> f64 {
        self.x + self.width
    }

    pub(super) fn bottom(self) -> f64 {
        self.y + self.height
    }
}

// Writing into a String cannot fail, so results are dropped below.
impl Svg {
    pub(super) fn new(width: f64, height: f64) -> Self {
        let mut text = String::new();
        let _ = write!(
            text,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"{FONT}\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
        );
        Svg { text }
    }

    pub(super) fn line(&mut self, (x1, y1): (f64, f64), (x2, y2): (f64, f64), stroke: &Stroke) {
        let _ = writeln!(
            self.text,
            "<line x1=\"{x1:.2}\" y1=\"{y1:.2}\" x2=\"{x2:.2}\" y2=\"{y2:.2}\"{}/>",
            attributes(stroke)
        );
    }

    pub(super) fn label(&mut self, (x, y): (f64, f64), text: &str, size: f64, colour: &str, anchor: Anchor) {
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{}\">{}</text>",
            anchor.name(),
            escaped(text)
        );
    }

    /// A text that runs upwards, centred at its point.
    pub(super) fn upright_label(&mut self, (x, y): (f64, f64), text: &str, size: f64, colour: &str) {
        let _ = writeln!(
            self.text,
            "<text transform=\"translate({x:.2} {y:.2}) rotate(-90)\" font-size=\"{size}\" fill=\"{colour}\" \
             text-anchor=\"middle\">{}</text>",
            escaped(text)
        );
    }

    /// Opens a group whose shapes show only inside the area, until [`end_clip`](Svg::end_clip).
    pub(super) fn begin_clip(&mut self, name: &str, area: Area) {
        let Area { x, y, width, height } = area;
        let _ = writeln!(
            self.text,
            "<clipPath id=\"{name}\"><rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\"/>\
             </clipPath>\n<g clip-path=\"url(#{name})\">"
        );
    }

    pub(super) fn end_clip(&mut self) {
        self.text.push_str("</g>\n");
    }

    /// Lines through points; a line of one point is a dot.
    pub(super) fn path(&mut self, strokes: &[Vec<(f64, f64)>], stroke: &Stroke) {
        let _ = write!(
            self.text,
            "<path fill=\"none\" stroke-linejoin=\"round\"{}",
            attributes(stroke)
        );
        if stroke.dashes.is_none() {
            self.text.push_str(" stroke-linecap=\"round\"");
        }
        self.text.push_str(" d=\"");
        for points in strokes {
            for (index, (x, y)) in points.iter().enumerate() {
                let command = if index == 0 { 'M' } else { 'L' };
                let _ = write!(self.text, "{command}{x:.1} {y:.1}");
            }
            if points.len() == 1 {
                self.text.push_str("h0");
            }
        }
        self.text.push_str("\"/>\n");
    }

    pub(super) fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}

fn attributes(stroke: &Stroke) -> String {
    let dashes = stroke
        .dashes
        .map(|d| format!(" stroke-dasharray=\"{d}\""))
        .unwrap_or_default();
    format!(
        " stroke=\"{}\" stroke-width=\"{}\"{dashes}",
        stroke.colour, stroke.width
    )
}

/// Text as XML takes it; control characters are not allowed there in any form.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}
