//! What the search of a space found out.

/// What one turn found out.
pub(crate) enum SearchResult<Step> {
    /// A line to the aim.
    Solved(Vec<Step>),
    /// The whole space was searched, as its keys tell positions apart, and the aim is nowhere in
    /// it.
    Exhausted,
    /// All was searched but what lies behind steps that cannot be taken (forced rules without end),
    /// so nothing is known and nothing more can be found.
    Incomplete,
    /// Nothing, within its share or its memory.
    OutOfBudget,
}

impl<Step> SearchResult<Step> {
    /// The same with another line; incomplete if the line cannot be told.
    pub(crate) fn map_line<Other>(
        self,
        line: impl FnOnce(Vec<Step>) -> Option<Vec<Other>>,
    ) -> SearchResult<Other> {
        match self {
            Self::Solved(steps) => {
                line(steps).map_or(SearchResult::Incomplete, SearchResult::Solved)
            }
            Self::Exhausted => SearchResult::Exhausted,
            Self::Incomplete => SearchResult::Incomplete,
            Self::OutOfBudget => SearchResult::OutOfBudget,
        }
    }

    /// The same, without what the line is.
    pub(crate) fn without_line(self) -> SearchResult<()> {
        self.map_line(|_| Some(Vec::new()))
    }
}
