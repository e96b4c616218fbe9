//! Mechanisms in natural coordinates, by what is known of them.
#![allow(clippy::expect_used)]

mod mistakes;
mod plane;
mod reactions;
mod rig;
mod scale;
mod scene;
mod space;
