//! The result of searching a space.

/// The result of one search.
pub(crate) enum SearchResult<Step> {
    /// A line to the aim.
    Solved(Vec<Step>),
    /// The whole space was searched, with positions of equal keys counted as one, and has no win.
    Exhausted,
    /// Everything was searched except what follows steps that cannot be taken (forced rules that
    /// never end). So nothing is known, and more nodes would find nothing.
    Incomplete,
    /// Nothing was found within the share and the memory.
    OutOfBudget,
}

impl<Step> SearchResult<Step> {
    /// The same with the line mapped; incomplete if `line` returns none.
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

    /// The same without the line.
    pub(crate) fn without_line(self) -> SearchResult<()> {
        self.map_line(|_| Some(Vec::new()))
    }
}
