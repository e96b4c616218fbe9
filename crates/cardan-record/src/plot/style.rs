//! Colours, dashes and sizes.

/// Colours that stay apart for colour-blind eyes (after Okabe and Ito, without the yellow that paper swallows).
const COLOURS: [(u8, u8, u8); 8] = [
    (0x00, 0x72, 0xb2),
    (0xd5, 0x5e, 0x00),
    (0x00, 0x9e, 0x73),
    (0xcc, 0x79, 0xa7),
    (0xe6, 0x9f, 0x00),
    (0x56, 0xb4, 0xe9),
    (0x88, 0x22, 0x55),
    (0x66, 0x66, 0x66),
];

/// The nearest of the 256 colours of a terminal.
const TERMINAL_COLOURS: [u8; 8] = [32, 166, 36, 175, 214, 74, 89, 242];

/// Solid for the first result, dashes for those laid over it.
const DASHES: [Option<&str>; 4] = [None, Some("6 4"), Some("2 3"), Some("9 3 2 3")];

pub(super) const FONT: &str = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif";
pub(super) const TITLE: f64 = 15.0;
pub(super) const TEXT: f64 = 12.0;
pub(super) const SMALL: f64 = 11.0;

/// Ink of text, axes, grid and the line through zero.
pub(super) const INK: &str = "#222222";
pub(super) const MUTED: &str = "#555555";
pub(super) const AXIS: &str = "#888888";
pub(super) const GRID: &str = "#e8e8e8";
pub(super) const ZERO: &str = "#c4c4c4";

/// How a curve is drawn.
pub(super) struct Stroke {
    pub(super) colour: String,
    pub(super) width: f64,
    pub(super) dashes: Option<&'static str>,
}

/// The stroke of a variable of one of `tables` results. Where results lie over each other the first is a broad band and
/// the others are thin and darker, so that both show where they agree.
pub(super) fn stroke(variable: usize, table: usize, tables: usize) -> Stroke {
    let colour = COLOURS[variable % COLOURS.len()];
    let (mixed, width) = match (tables, table) {
        (1, _) => (colour, 1.6),
        (_, 0) => (mix(colour, 255, 0.35), 3.2),
        _ => (mix(colour, 0, 0.35), 1.4),
    };
    Stroke {
        colour: hex(mixed),
        width,
        dashes: DASHES[table % DASHES.len()],
    }
}

/// The sample of a result in the key, without a colour of its own.
pub(super) fn key_stroke(table: usize) -> Stroke {
    let (colour, width) = if table == 0 {
        ("#aaaaaa", 3.2)
    } else {
        ("#333333", 1.4)
    };
    Stroke {
        colour: colour.into(),
        width,
        dashes: DASHES[table % DASHES.len()],
    }
}

/// The colour of a curve in a terminal.
pub(super) fn terminal_colour(curve: usize) -> u8 {
    TERMINAL_COLOURS[curve % TERMINAL_COLOURS.len()]
}

fn mix((r, g, b): (u8, u8, u8), with: u8, part: f64) -> (u8, u8, u8) {
    let mix = |c: u8| (f64::from(c) * (1.0 - part) + f64::from(with) * part).round() as u8;
    (mix(r), mix(g), mix(b))
}

fn hex((r, g, b): (u8, u8, u8)) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// About how wide a text is: good enough to leave room for it.
pub(super) fn text_width(text: &str, size: f64) -> f64 {
    let ems = text.chars().map(|c| match c {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | '·' => 0.32,
        'f' | 'r' | 't' | '(' | ')' | '[' | ']' | '/' | '-' => 0.40,
        '¹' | '²' | '³' | '⁰' | '⁴'..='⁹' | '⁻' => 0.42,
        'm' | 'w' | 'M' | 'W' | '−' | '×' => 0.90,
        'A'..='Z' => 0.70,
        _ => 0.62,
    });
    ems.sum::<f64>() * size
}
