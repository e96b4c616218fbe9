//! Turns the SVG into pixels, with a font that is part of the program.

use super::PlotError;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use std::sync::{Arc, LazyLock};

/// Pixels per unit of the SVG: sharp on today's screens.
const SCALE: f32 = 2.0;

static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    Arc::new(fonts)
});

pub(super) fn render(svg: &str) -> Result<Vec<u8>, PlotError> {
    let failed = |e: &dyn std::fmt::Display| PlotError::Pixels(e.to_string());
    let options = Options {
        fontdb: FONTS.clone(),
        font_family: "DejaVu Sans".into(),
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|e| failed(&e))?;
    let size = tree.size().to_int_size();
    let pixels = |length: u32| (length as f32 * SCALE) as u32;
    let mut pixmap = Pixmap::new(pixels(size.width()), pixels(size.height()))
        .ok_or_else(|| PlotError::Pixels("the picture is too large".into()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|e| failed(&e))
}
