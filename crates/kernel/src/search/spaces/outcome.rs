//! What the search of a space found out.

/// What one turn found out.
pub(crate) enum Outcome<Step> {
    /// A line to the aim.
    Won(Vec<Step>),
    /// The whole space was searched, as its keys tell positions apart, and the aim is nowhere in it.
    Exhausted,
    /// All was searched but what lies behind steps that cannot be taken (forced rules without end), so
    /// nothing is known and nothing more can be found.
    Stuck,
    /// Nothing, within its share or its memory.
    Open,
}

impl<Step> Outcome<Step> {
    /// The same, without what the line is.
    pub(crate) fn without_line(self) -> Outcome<()> {
        match self {
            Self::Won(_) => Outcome::Won(Vec::new()),
            Self::Exhausted => Outcome::Exhausted,
            Self::Stuck => Outcome::Stuck,
            Self::Open => Outcome::Open,
        }
    }
}
