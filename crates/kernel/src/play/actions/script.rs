//! Scripts: transfers of cards that leave the player no choice.
//!
//! A step never moves more cards than there are or than fit. Where piles are too small, the game is
//! wrong, but no card is lost.

use crate::card::{card, has, is_face_down, rank};
use crate::play::actions::transfer::run_length;
use crate::position::journal::Journal;
use crate::position::state::{State, Transfer};
use crate::program::compiled::Program;
use crate::program::format::{
    DealTerms, DealtTo, Effect, End, Ending, Face, GoesUp, Quantity, Runs, Step, Way,
};

/// The highest rank.
const KING: usize = 12;

impl State {
    /// Whether a script would change anything: then it may be used, or must be if it is forced.
    /// Ignores its `when`.
    pub(super) fn is_script_possible(&self, program: &Program, rule: u8, steps: &[Step]) -> bool {
        if let [Step::Deal { from, then, to, only, leave, terms, .. }] = steps
            && let [to] = to[..]
            && leave.is_empty()
            && terms.up_to.is_none()
            && terms.passes_over.is_none()
        {
            // Most scripts turn a card of the stock.
            return self.takes_dealt(to.into(), *only) && self.dealt_from(*from, then).is_some();
        }
        // Steps before the first one that changes something change nothing, so each is tested
        // alone.
        if steps.iter().any(moves_cards) {
            steps.iter().any(|step| self.step_would_change(program, step))
        } else {
            self.would_change_numbers(program, rule, steps)
        }
    }

    fn would_change_numbers(&self, program: &Program, rule: u8, steps: &[Step]) -> bool {
        let counter = |counter: u8| self.counters()[usize::from(counter)];
        steps.iter().any(|step| self.step_would_change(program, step))
            || program.source().rules[usize::from(rule)].effects.iter().any(|effect| match effect {
                Effect::Set { counter: index, value } => {
                    counter(*index) != (*value).min(counter_cap(program, *index))
                }
                Effect::Add { counter: index, value } => {
                    *value > 0 && counter(*index) < counter_cap(program, *index)
                }
                Effect::Tally { counter: index, .. } => {
                    tallied(self, program, effect) != counter(*index)
                }
                Effect::Count { .. } | Effect::Rank { .. } => false,
            })
    }

    /// Whether a step would change the position as it is.
    fn step_would_change(&self, program: &Program, step: &Step) -> bool {
        match step {
            Step::Deal { from, then, to, only, leave, terms, .. } => {
                let left = self.first_vacant(leave);
                let takes = |&pile: &u8| {
                    left >> pile & 1 == 0
                        && self.takes_dealt(usize::from(pile), *only)
                        && self.lacks_cards(program, usize::from(pile), terms)
                };
                self.dealt_from(*from, then).is_some() && to.iter().any(takes)
            }
            Step::Take { from, number, end, to, .. } if from == to => {
                let pile = self.pile(usize::from(*from));
                let count = self.quantity(number, usize::from(*from), *end);
                let rotated = (0..pile.len()).map(|at| pile[(at + count) % pile.len()]);
                !rotated.eq(pile.iter().copied())
            }
            Step::Take { from, number, end, to, .. } => {
                self.free_slots(usize::from(*to)) > 0
                    && self.quantity(number, usize::from(*from), *end) > 0
            }
            Step::Gather { piles, to, keep, .. } => {
                let kept = self.kept(program, keep.as_ref()) | self.vacant();
                self.free_slots(usize::from(*to)) > 0
                    && piles.iter().any(|&pile| kept >> pile & 1 == 0)
            }
            Step::Route { from, ways, until } => {
                (until.0 == 0 || until.0 & self.vacant() != 0)
                    && self.way(ways, usize::from(*from)).is_some()
            }
            Step::Sink { piles, cards } => piles.iter().any(|&pile| {
                // A card of the class lies on another one.
                let mut from_top = self.pile(usize::from(pile)).iter().rev();
                from_top.any(|&byte| has(cards.0, byte))
                    && from_top.any(|&byte| !has(cards.0, byte))
            }),
            Step::Pick { from, cards, to, .. } => {
                self.free_slots(usize::from(*to)) > 0
                    && self.pile(usize::from(*from)).iter().any(|&byte| has(cards.0, byte))
            }
            Step::CloseUp { piles } => {
                let occupied = |&pile: &u8| !self.is_vacant(usize::from(pile));
                piles.iter().skip_while(|&pile| occupied(pile)).any(occupied)
            }
            Step::Turn { piles, face, turned } => piles.iter().any(|&pile| {
                let cards = self.pile(usize::from(pile));
                let lies = |byte: &u8| is_face_down(*byte) == (*face == Face::Down);
                cards.iter().any(|byte| *face != Face::Keep && !lies(byte))
                    || *turned && cards.iter().ne(cards.iter().rev())
            }),
            Step::Slip { piles, cards } => piles.iter().any(|&pile| {
                let held = self.pile(usize::from(pile));
                self.top(usize::from(pile)).is_some_and(|top| has(cards.0, top))
                    && held.iter().any(|&byte| !has(cards.0, byte))
            }),
            Step::ByCounter { counter, steps } => steps
                .get(self.counter(*counter))
                .is_some_and(|step| self.step_would_change(program, step)),
            Step::Close { pairs } => pairs.iter().any(|&[pile, partner]| {
                self.is_closed(usize::from(pile)) != self.is_complete(program, usize::from(partner))
            }),
            Step::Base { counter, of } => self.top_rank(usize::from(*of)).is_some_and(|rank| {
                rank.min(counter_cap(program, *counter)) != self.counters()[usize::from(*counter)]
            }),
            Step::Shuffle { pile, .. } => !self.is_vacant(usize::from(*pile)),
            Step::Settle => false,
        }
    }

    /// Carries out a step, except [`Step::Settle`], which the caller handles.
    #[allow(clippy::too_many_lines, reason = "a few lines for each kind of step")]
    pub(crate) fn run_step(&mut self, program: &Program, journal: &mut Journal, step: &Step) {
        match step {
            Step::Deal { from, then, to, each, face, only, apart: None, leave, terms }
                if then.is_empty() && leave.is_empty() && terms.is_empty() =>
            {
                for &to in to {
                    if self.is_vacant(usize::from(*from)) {
                        break;
                    }
                    if self.takes_dealt(to.into(), *only) {
                        let most = self.free_slots(to.into()).min(usize::from(*each)) as u16;
                        self.move_top_cards(program, journal, (*from, to), most, *face);
                    }
                }
            }
            Step::Deal { to, each, only, leave, terms, .. } => {
                let left = self.first_vacant(leave);
                if terms.emptiest_first {
                    // A vacancy that gets a card goes on taking cards.
                    let piles = to.iter().map(|&to| usize::from(to));
                    let piles = piles.filter(|&pile| self.takes_dealt(pile, *only));
                    let piles: Vec<usize> = piles.collect();
                    let takes = |state: &Self, pile: usize| {
                        state.free_slots(pile) > 0 && state.lacks_cards(program, pile, terms)
                    };
                    while let Some(&emptiest) = piles
                        .iter()
                        .filter(|&&pile| takes(self, pile))
                        .min_by_key(|&&pile| self.len(pile))
                    {
                        if !self.deal_card(program, journal, step, emptiest) {
                            return;
                        }
                    }
                    return;
                }
                for to in to.iter().map(|&to| usize::from(to)) {
                    let takes = self.takes_dealt(to, *only) && self.lacks_cards(program, to, terms);
                    if left >> to & 1 != 0 || !takes {
                        continue;
                    }
                    for _ in 0..*each {
                        if self.free_slots(to) == 0 || !self.is_below(to, terms) {
                            break;
                        }
                        if !self.deal_card(program, journal, step, to) {
                            return;
                        }
                    }
                }
            }
            Step::Take { from, number, end, to, .. } if from == to => {
                let pile = usize::from(*from);
                let top = self.len(pile).saturating_sub(1);
                let (out, back) = if *end == End::Bottom { (0, top) } else { (top, 0) };
                for _ in 0..self.quantity(number, pile, *end) {
                    self.shift(journal, pile, out, back);
                }
            }
            Step::Take { from, number, end, to, at, turned, face } => {
                let from = usize::from(*from);
                let transfer = Transfer {
                    from,
                    from_end: *end,
                    to: usize::from(*to),
                    to_end: *at,
                    count: self.quantity(number, from, *end),
                    reverse: *turned,
                    face: *face,
                };
                self.transfer(program, journal, transfer);
            }
            Step::Gather { piles, to, at, turned, face, keep } => {
                let kept = self.kept(program, keep.as_ref());
                let taken = piles.iter().filter(|&pile| kept >> pile & 1 == 0);
                for from in taken.map(|&pile| usize::from(pile)) {
                    let transfer = Transfer {
                        from,
                        from_end: End::Top,
                        to: usize::from(*to),
                        to_end: *at,
                        count: self.len(from),
                        reverse: *turned,
                        face: *face,
                    };
                    self.transfer(program, journal, transfer);
                }
            }
            Step::Route { from, ways, until } => {
                let from = usize::from(*from);
                while until.0 == 0 || until.0 & self.vacant() != 0 {
                    let Some(to) = self.way(ways, from) else { break };
                    self.move_top_card(program, journal, from, to, Face::Up);
                    if until.0 == 0 {
                        break;
                    }
                }
            }
            Step::Sink { piles, cards } => {
                for pile in piles.iter().map(|&pile| usize::from(pile)) {
                    let mut bottom = 0;
                    for depth in 0..self.len(pile) {
                        if has(cards.0, self.pile(pile)[depth]) {
                            self.shift(journal, pile, depth, bottom);
                            bottom += 1;
                        }
                    }
                }
            }
            Step::Pick { from, cards, to, face } => {
                let (from, to) = (usize::from(*from), usize::from(*to));
                let place = self.pile(from).iter().rposition(|&byte| has(cards.0, byte));
                if let Some(depth) = place.filter(|_| self.free_slots(to) > 0) {
                    self.shift(journal, from, depth, self.len(from) - 1);
                    self.move_top_card(program, journal, from, to, *face);
                }
            }
            Step::CloseUp { piles } => self.close_up(journal, piles),
            Step::Turn { piles, face, turned } => {
                for pile in piles.iter().map(|&pile| usize::from(pile)) {
                    self.turn_cards(program, journal, pile, *face, *turned);
                }
            }
            Step::Slip { piles, cards } => {
                for pile in piles.iter().map(|&pile| usize::from(pile)) {
                    let passed = self.pile(pile).iter().rev().position(|&byte| !has(cards.0, byte));
                    for _ in 0..passed.unwrap_or(0) {
                        self.shift(journal, pile, self.len(pile) - 1, 0);
                    }
                }
            }
            Step::ByCounter { counter, steps } => {
                if let Some(step) = steps.get(self.counter(*counter)) {
                    self.run_step(program, journal, step);
                }
            }
            Step::Close { pairs } => {
                for &[pile, partner] in pairs {
                    let complete = self.is_complete(program, usize::from(partner));
                    self.set_closed(journal, usize::from(pile), complete);
                }
            }
            Step::Base { counter, of } => {
                if let Some(rank) = self.top_rank(usize::from(*of)) {
                    self.set_counter(journal, *counter, rank.min(counter_cap(program, *counter)));
                }
            }
            Step::Shuffle { pile, counter } => {
                if !self.is_vacant(usize::from(*pile)) {
                    let made = self.counters()[usize::from(*counter)];
                    self.shuffle(journal, usize::from(*pile), made);
                    let made = made.saturating_add(1).min(counter_cap(program, *counter));
                    self.set_counter(journal, *counter, made);
                }
            }
            Step::Settle => {}
        }
    }

    /// Applies the effects of a rule on counters. `moved` is the pile with the moved cards on top,
    /// and their number.
    pub(crate) fn apply_effects(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        effects: &[Effect],
        (pile, moved): (usize, usize),
    ) {
        for effect in effects {
            let (counter, value) = match effect {
                Effect::Set { counter, value } => (*counter, usize::from(*value)),
                Effect::Add { counter, value } => {
                    (*counter, self.counter(*counter) + usize::from(*value))
                }
                Effect::Tally { counter, .. } => {
                    (*counter, usize::from(tallied(self, program, effect)))
                }
                Effect::Count { counter, cards: class } => {
                    let of_class =
                        self.moved(pile, moved).iter().filter(|&&byte| has(class.0, byte));
                    (*counter, self.counter(*counter) + of_class.count())
                }
                Effect::Rank { counter, once } => {
                    let Some(&lowest) = self.moved(pile, moved).first() else { continue };
                    if *once && self.counter(*counter) <= KING {
                        continue;
                    }
                    (*counter, usize::from(rank(card(lowest))))
                }
            };
            let value = value.min(usize::from(counter_cap(program, counter))) as u16;
            self.set_counter(journal, counter, value);
        }
    }

    /// A number of top cards of a pile.
    fn moved(&self, pile: usize, number: usize) -> &[u8] {
        let cards = if number == 0 { &[] } else { self.pile(pile) };
        &cards[cards.len() - number..]
    }

    fn counter(&self, counter: u8) -> usize {
        usize::from(self.counters()[usize::from(counter)])
    }

    /// The pile that the next card is dealt from: the first that is not empty.
    fn dealt_from(&self, from: u8, then: &[u8]) -> Option<usize> {
        let mut piles = [from].into_iter().chain(then.iter().copied()).map(usize::from);
        piles.find(|&pile| !self.is_vacant(pile))
    }

    /// Deals a card to a pile that has room, after those that go up instead. Returns whether there
    /// was one.
    fn deal_card(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        deal: &Step,
        to: usize,
    ) -> bool {
        let Step::Deal { from, then, face, apart, terms, .. } = deal else { return false };
        while let Some(from) = self.dealt_from(*from, then) {
            if let Some(goes_up) = &terms.goes_up
                && let Some(taker) = self.goes_up(program, goes_up, from)
            {
                self.move_top_card(program, journal, from, taker, Face::Up);
                if goes_up.replaced {
                    continue;
                }
                return true;
            }
            if let Some(relation) = apart {
                self.pass_under(program, journal, from, to, *relation);
            }
            self.move_top_card(program, journal, from, to, *face);
            return true;
        }
        false
    }

    /// The pile to which the top card of a pile goes instead of being dealt.
    fn goes_up(&self, program: &Program, goes_up: &GoesUp, from: usize) -> Option<usize> {
        let top = self.top(from).filter(|&top| has(goes_up.cards.0, top))?;
        let mut takers = goes_up.to.iter().map(|&pile| usize::from(pile));
        takers.find(|&pile| self.free_slots(pile) > 0 && has(self.wanted_now(program, pile), top))
    }

    /// Whether a pile gets cards by what it holds: fewer than the number up to which it gets any,
    /// and no sequence that is passed over.
    fn lacks_cards(&self, program: &Program, pile: usize, terms: &DealTerms) -> bool {
        let is_passed = |ending| self.ends_in(program, pile, ending);
        !terms.passes_over.as_ref().is_some_and(is_passed) && self.is_below(pile, terms)
    }

    /// Whether a pile ends in a sequence.
    fn ends_in(&self, program: &Program, pile: usize, ending: &Ending) -> bool {
        let cards = self.pile(pile);
        let over = &program.relations[usize::from(ending.relation)].over;
        let length = run_length(over, u64::MAX, cards, cards.len());
        let mut begins = cards[cards.len() - length..].iter();
        if ending.whole {
            length == cards.len() && begins.next().is_some_and(|&byte| has(ending.cards.0, byte))
        } else {
            begins.any(|&byte| has(ending.cards.0, byte))
        }
    }

    /// Whether a pile holds fewer cards than the number up to which it gets any.
    fn is_below(&self, pile: usize, terms: &DealTerms) -> bool {
        terms.up_to.as_ref().is_none_or(|up_to| {
            let most = match up_to {
                Quantity::Fixed { number } => usize::from(*number),
                Quantity::Times { factor, counter } => {
                    usize::from(*factor) * self.counter(*counter)
                }
                Quantity::All | Quantity::Held { .. } | Quantity::Until { .. } => 0,
            };
            self.len(pile) < most
        })
    }

    /// Turns all cards of a pile up or down, and perhaps the whole pile over.
    pub(super) fn turn_cards(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        pile: usize,
        face: Face,
        turned: bool,
    ) {
        for done in 0..self.len(pile) {
            let top = self.len(pile) - 1;
            let is_down = is_face_down(self.pile(pile)[top]);
            if face != Face::Keep && is_down != (face == Face::Down) {
                self.turn(program, journal, pile);
            }
            // Without `turned`, each card goes to the bottom, and so the pile comes round.
            self.shift(journal, pile, top, if turned { done } else { 0 });
        }
    }

    /// Puts top cards of a pile under it until one can be dealt to another pile: one that may lie
    /// on no card there by a relation. If there is none, nothing changes.
    fn pass_under(
        &mut self,
        program: &Program,
        journal: &mut Journal,
        from: usize,
        to: usize,
        relation: u8,
    ) {
        let over = &program.relations[usize::from(relation)].over;
        let barred =
            self.pile(to).iter().fold(0, |cards, &byte| cards | over[usize::from(card(byte))]);
        let passed = self.pile(from).iter().rev().position(|&byte| !has(barred, byte));
        for _ in 0..passed.unwrap_or(0) {
            self.shift(journal, from, self.len(from) - 1, 0);
        }
    }

    fn takes_dealt(&self, pile: usize, only: DealtTo) -> bool {
        let wanted = match only {
            DealtTo::Any => true,
            DealtTo::Vacant => self.is_vacant(pile),
            DealtTo::Occupied => !self.is_vacant(pile),
        };
        wanted && !self.is_closed(pile) && self.free_slots(pile) > 0
    }

    /// The piles of runs: those that a step leaves alone because their cards lie in order.
    pub(in crate::play) fn kept(&self, program: &Program, runs: Option<&Runs>) -> u128 {
        let Some(Runs { lines, cards: first, relation }) = runs else { return 0 };
        let over = &program.relations[usize::from(*relation)].over;
        let mut kept = 0;
        for line in lines {
            let mut follows = first.0;
            for &pile in line {
                let cards = self.pile(usize::from(pile));
                let in_order = cards.iter().all(|&byte| {
                    let fits = !is_face_down(byte) && has(follows, byte);
                    follows = over[usize::from(card(byte))];
                    fits
                });
                if cards.is_empty() || !in_order {
                    break;
                }
                kept |= 1 << pile;
            }
        }
        kept
    }

    /// The first empty pile of each line.
    fn first_vacant(&self, lines: &[Vec<u8>]) -> u128 {
        let is_vacant = |&pile: &u8| self.is_vacant(usize::from(pile));
        let first = lines.iter().filter_map(|line| line.iter().copied().find(is_vacant));
        first.fold(0, |piles, pile| piles | 1 << pile)
    }

    /// The target of the top card of a pile, if there is a card, a way, and room.
    fn way(&self, ways: &[Way], from: usize) -> Option<usize> {
        let top = self.top(from)?;
        let way = ways.iter().find(|way| has(way.cards.0, top))?;
        let vacant = way.to.iter().map(|&pile| usize::from(pile));
        let to = vacant.into_iter().find(|&pile| self.is_vacant(pile) && self.free_slots(pile) > 0);
        let to = to.unwrap_or(usize::from(way.overflow));
        (self.free_slots(to) > 0).then_some(to)
    }

    /// How many cards to take from an end of a pile, at most as many as there are.
    fn quantity(&self, quantity: &Quantity, from: usize, end: End) -> usize {
        let cards = self.pile(from);
        let product = |factor: u16, number: usize| usize::from(factor) * number;
        let number = match quantity {
            Quantity::All => cards.len(),
            Quantity::Fixed { number } => usize::from(*number),
            Quantity::Times { factor, counter } => product(*factor, self.counter(*counter)),
            Quantity::Held { factor, cards, pile } => {
                product(*factor, self.count_of_class(usize::from(*pile), cards.0))
            }
            Quantity::Until { factor, counter, cards: class } => {
                let wanted = product(*factor, self.counter(*counter));
                match end {
                    End::Top => count_until(cards.iter().rev(), wanted, class.0),
                    End::Bottom => count_until(cards.iter(), wanted, class.0),
                }
            }
        };
        number.min(cards.len())
    }
}

/// How many cards include `wanted` cards of a class; all if there are too few.
fn count_until<'c>(cards: impl Iterator<Item = &'c u8>, wanted: usize, class: u64) -> usize {
    let mut found = 0;
    let mut taken = 0;
    for &byte in cards {
        if found == wanted {
            break;
        }
        found += usize::from(has(class, byte));
        taken += 1;
    }
    taken
}

fn moves_cards(step: &Step) -> bool {
    match step {
        Step::Deal { .. }
        | Step::Take { .. }
        | Step::Gather { .. }
        | Step::Route { .. }
        | Step::Sink { .. }
        | Step::Pick { .. }
        | Step::CloseUp { .. }
        | Step::Turn { .. }
        | Step::Slip { .. }
        | Step::ByCounter { .. }
        | Step::Shuffle { .. } => true,
        Step::Close { .. } | Step::Base { .. } | Step::Settle => false,
    }
}

/// The value of a counter after an effect that reads another one; 0 for other effects.
fn tallied(state: &State, program: &Program, effect: &Effect) -> u16 {
    let Effect::Tally { counter, of, times, grows } = *effect else { return 0 };
    let before = if grows { state.counter(counter) } else { 0 };
    let value = before + usize::from(times) * state.counter(of);
    value.min(usize::from(counter_cap(program, counter))) as u16
}

fn counter_cap(program: &Program, counter: u8) -> u16 {
    program.source().counters[usize::from(counter)].cap
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn until_takes_what_it_meets_on_the_way() {
        let queens = 0b1111u64 << 44;
        assert_eq!(count_until([1u8, 44, 2, 45, 3].iter(), 2, queens), 4);
        assert_eq!(count_until([1u8, 44, 2].iter(), 2, queens), 3);
        assert_eq!(count_until([44u8, 44].iter(), 0, queens), 0);
    }
}
