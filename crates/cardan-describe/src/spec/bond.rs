//! `[[bonds]]`

use crate::diagnostic::{Span, Spanned};

/// An effort and a flow that travel in opposite directions between two components, as described.
#[derive(Clone, PartialEq, Debug)]
pub struct BondSpec {
    /// For people; made of the two outputs if not given.
    pub name: Option<Spanned<String>>,
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub effort: Option<Spanned<String>>,
    /// `component.port`, or one element of it; none where that was wrong and has been reported.
    pub flow: Option<Spanned<String>>,
    /// The component that a positive product flows into; that of the effort if not given.
    pub into: Option<Spanned<String>>,
    /// Where it stands.
    pub span: Span,
}
