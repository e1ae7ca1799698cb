//! Transfers of cards that leave the player no choice.

use crate::program::footprint::{Footprint, list, mask};
use crate::program::format::{DealTerms, DealtTo, Face, Quantity, Runs, Source, Step};
use crate::program::validate::{Check, Checked, MAX_PILES, at_least_one, cards, most};

const MAX_STEPS: usize = 1024;
const MAX_VISITS: usize = 4096;
const MAX_WAYS: usize = 64;

/// Adds a transfer of cards from some piles to others.
fn add_transfer(from: u128, to: u128, footprint: &mut Footprint) {
    footprint.reads |= from;
    footprint.measures |= from;
    footprint.takes |= from;
    footprint.takes_freely |= from;
    footprint.deals |= to;
    footprint.most_cards = Footprint::NO_LIMIT;
}

/// Adds what a step reads and writes.
pub(crate) fn add_footprint(program: &Source, step: &Step, footprint: &mut Footprint) {
    match step {
        Step::Deal { from, then, to, only, apart, leave, terms, .. } => {
            add_transfer(1 << from | list(then), list(to), footprint);
            footprint.reads |= leave.iter().fold(0, |piles, line| piles | list(line));
            footprint.reads |= if *only == DealtTo::Any { 0 } else { list(to) };
            if let Some(relation) = apart {
                footprint.reads |= list(to);
                footprint.measures |= list(to);
                footprint.relations |= 1 << relation;
                footprint.has_choice = true;
            }
            add_terms(program, terms, list(to), footprint);
        }
        Step::Take { from, number, to, .. } => {
            add_transfer(1 << from, 1 << to, footprint);
            add_quantity(number, footprint);
        }
        Step::Gather { piles, to, keep, .. } => {
            add_transfer(list(piles), 1 << to, footprint);
            if let Some(runs) = keep {
                runs.add_to(footprint);
            }
        }
        Step::Route { from, ways, until } => {
            let to = ways.iter().flat_map(|way| way.to.iter().chain([&way.overflow]));
            add_transfer(1 << from, mask(to.copied()), footprint);
            footprint.reads |= until.0;
            for way in ways {
                footprint.add_class(way.cards);
            }
            footprint.has_choice = true;
        }
        Step::Sink { piles, cards } | Step::Slip { piles, cards } => {
            add_transfer(list(piles), list(piles), footprint);
            footprint.add_class(*cards);
            footprint.has_choice = true;
        }
        Step::Pick { from, cards, to, .. } => {
            add_transfer(1 << from, 1 << from | 1 << to, footprint);
            footprint.add_class(*cards);
            footprint.has_choice = true;
        }
        Step::CloseUp { piles } => add_transfer(list(piles), list(piles), footprint),
        Step::Turn { piles, .. } => {
            add_transfer(list(piles), list(piles), footprint);
            footprint.turns |= list(piles);
        }
        Step::ByCounter { counter, steps } => {
            footprint.counters_read |= 1 << counter;
            for step in steps {
                add_footprint(program, step, footprint);
            }
        }
        Step::Close { pairs } => {
            for [pile, partner] in pairs {
                footprint.closes |= 1 << pile;
                footprint.reads |= 1 << partner;
                footprint.measures |= 1 << partner;
            }
        }
        Step::Base { counter, of } => {
            footprint.reads |= 1 << of;
            footprint.counters_written |= 1 << counter;
        }
        Step::Shuffle { pile, counter } => {
            // Every card may come from any place of the pile.
            add_transfer(1 << pile, 1 << pile, footprint);
            footprint.counters_read |= 1 << counter;
            footprint.counters_written |= 1 << counter;
            // The order depends on the very cards.
            footprint.compares_cards = true;
            footprint.has_choice = true;
        }
        Step::Settle => {}
    }
}

impl Runs {
    /// Adds what they depend on.
    pub(in crate::program) fn add_to(&self, footprint: &mut Footprint) {
        let lines = self.lines.iter().fold(0, |piles, line| piles | list(line));
        footprint.reads |= lines;
        footprint.measures |= lines;
        footprint.relations |= 1 << self.relation;
        footprint.add_class(self.cards);
    }
}

/// Adds what few deals ask for.
fn add_terms(program: &Source, terms: &DealTerms, to: u128, footprint: &mut Footprint) {
    if let Some(goes_up) = &terms.goes_up {
        footprint.deals |= list(&goes_up.to);
        footprint.reads |= list(&goes_up.to);
        goes_up.to.iter().for_each(|&pile| footprint.add_build_order(program, pile));
        footprint.add_class(goes_up.cards);
        footprint.has_choice = true;
    }
    if let Some(ending) = &terms.passes_over {
        footprint.reads |= to;
        footprint.measures |= to;
        footprint.relations |= 1 << ending.relation;
        footprint.add_class(ending.cards);
    }
    if let Some(up_to) = &terms.up_to {
        footprint.reads |= to;
        footprint.measures |= to;
        add_quantity(up_to, footprint);
    }
}

/// Adds what a number of cards depends on.
fn add_quantity(number: &Quantity, footprint: &mut Footprint) {
    match number {
        Quantity::All | Quantity::Fixed { .. } => {}
        Quantity::Times { counter, .. } => footprint.counters_read |= 1 << counter,
        Quantity::Held { pile, cards, .. } => {
            footprint.reads |= 1 << pile;
            footprint.measures |= 1 << pile;
            footprint.add_class(*cards);
        }
        Quantity::Until { counter, cards, .. } => {
            footprint.counters_read |= 1 << counter;
            footprint.add_class(*cards);
        }
    }
}

/// Whether steps gather whole piles, as for a redeal.
pub(super) fn gathers(steps: &[Step]) -> bool {
    steps.iter().any(|step| match step {
        Step::Gather { .. } | Step::Shuffle { .. } => true,
        Step::Take { number, .. } => !matches!(number, Quantity::Fixed { .. }),
        Step::ByCounter { steps, .. } => gathers(steps),
        Step::Deal { .. }
        | Step::Route { .. }
        | Step::Sink { .. }
        | Step::Pick { .. }
        | Step::CloseUp { .. }
        | Step::Turn { .. }
        | Step::Slip { .. }
        | Step::Close { .. }
        | Step::Base { .. }
        | Step::Settle => false,
    })
}

impl Check<'_> {
    /// Validates the steps of a script, or of the layout.
    pub(in crate::program) fn steps(&self, steps: &[Step], layout: bool) -> Checked {
        most("steps", steps.len(), MAX_STEPS)?;
        steps.iter().try_for_each(|step| self.step(step, layout))
    }

    fn step(&self, step: &Step, layout: bool) -> Checked {
        let different = |from: u8, to: u8| {
            if from == to { Err(format!("cards go from pile {from} to itself")) } else { Ok(()) }
        };
        match step {
            Step::Deal { from, then, to, each, only, apart, leave, terms, .. } => {
                if !leave.is_empty() && *only != DealtTo::Vacant {
                    return Err("a place is left out of a deal to others than vacancies".to_owned());
                }
                most("lines", leave.len(), MAX_PILES)?;
                leave.iter().try_for_each(|line| self.piles(line))?;
                let sources: Vec<u8> = [from].into_iter().chain(then).copied().collect();
                self.piles(&sources)?;
                at_least_one("the number of cards dealt", *each)?;
                most("visits", to.len(), MAX_VISITS)?;
                to.iter().try_for_each(|&pile| {
                    self.is_pile(pile)?;
                    sources.iter().try_for_each(|&from| different(from, pile))
                })?;
                apart.map_or(Ok(()), |relation| self.is_relation(relation))?;
                self.terms(terms, &sources)
            }
            Step::Take { from, number, end, to, at, turned, face } => {
                self.is_pile(*from)?;
                self.is_pile(*to)?;
                if from == to && (end == at || *turned || *face != Face::Keep) {
                    return Err(format!("cards go from an end of pile {from} to the same end"));
                }
                self.quantity(number)
            }
            Step::Sink { piles, cards: mask } | Step::Slip { piles, cards: mask } => {
                cards(*mask)?;
                self.piles(piles)
            }
            Step::Pick { from, cards: mask, to, .. } => {
                cards(*mask)?;
                self.is_pile(*from)?;
                self.is_pile(*to)?;
                different(*from, *to)
            }
            Step::Gather { piles, to, keep, .. } => {
                keep.as_ref().map_or(Ok(()), |runs| self.runs(runs))?;
                self.piles(piles)?;
                self.is_pile(*to)?;
                piles.iter().try_for_each(|&pile| different(pile, *to))
            }
            Step::Route { from, ways, until } => {
                self.is_pile(*from)?;
                self.mask(*until)?;
                most("ways", ways.len(), MAX_WAYS)?;
                ways.iter().try_for_each(|way| {
                    cards(way.cards)?;
                    self.piles(&way.to)?;
                    self.is_pile(way.overflow)?;
                    way.to.iter().try_for_each(|&pile| different(*from, pile))?;
                    different(*from, way.overflow)
                })
            }
            Step::CloseUp { piles } => self.row(piles),
            Step::Turn { piles, .. } => self.piles(piles),
            Step::ByCounter { counter, steps } => {
                self.is_counter(*counter)?;
                most("steps", steps.len(), MAX_PILES)?;
                steps.iter().try_for_each(|step| match step {
                    Step::Deal { .. }
                    | Step::Take { .. }
                    | Step::Gather { .. }
                    | Step::Turn { .. }
                    | Step::Pick { .. } => self.step(step, layout),
                    _ => Err("a counter cannot select a step of this kind".to_owned()),
                })
            }
            Step::Close { pairs } => {
                most("pairs", pairs.len(), MAX_PILES)?;
                pairs.iter().try_for_each(|&[pile, partner]| {
                    self.is_pile(pile)?;
                    self.is_pile(partner)?;
                    self.has_build_order(partner)
                })
            }
            Step::Base { counter, of } => {
                self.is_counter(*counter)?;
                self.is_pile(*of)
            }
            Step::Shuffle { pile, counter } => {
                self.is_counter(*counter)?;
                self.is_pile(*pile)
            }
            Step::Settle if layout => Ok(()),
            Step::Settle => Err("forced rules settle in the layout only".to_owned()),
        }
    }

    /// Validates runs.
    pub(in crate::program) fn runs(&self, runs: &Runs) -> Checked {
        self.is_relation(runs.relation)?;
        cards(runs.cards)?;
        most("lines", runs.lines.len(), MAX_PILES)?;
        runs.lines.iter().try_for_each(|line| self.piles(line))
    }

    fn terms(&self, terms: &DealTerms, sources: &[u8]) -> Checked {
        if let Some(goes_up) = &terms.goes_up {
            cards(goes_up.cards)?;
            self.piles(&goes_up.to)?;
            for &pile in &goes_up.to {
                self.has_build_order(pile)?;
                if sources.contains(&pile) {
                    return Err(format!("cards go up from pile {pile} to itself"));
                }
            }
        }
        if let Some(ending) = &terms.passes_over {
            self.is_relation(ending.relation)?;
            cards(ending.cards)?;
        }
        match &terms.up_to {
            Some(number @ (Quantity::Fixed { .. } | Quantity::Times { .. })) => {
                self.quantity(number)
            }
            Some(_) => Err("piles are filled up to a number of another kind".to_owned()),
            None if terms.emptiest_first => {
                Err("the emptiest pile is filled first, without an end".to_owned())
            }
            None => Ok(()),
        }
    }

    fn quantity(&self, quantity: &Quantity) -> Checked {
        match quantity {
            Quantity::All => Ok(()),
            Quantity::Fixed { number } => at_least_one("the number of cards taken", *number),
            Quantity::Times { counter, .. } => self.is_counter(*counter),
            Quantity::Held { cards: mask, pile, .. } => {
                cards(*mask)?;
                self.is_pile(*pile)
            }
            Quantity::Until { counter, cards: mask, .. } => {
                cards(*mask)?;
                self.is_counter(*counter)
            }
        }
    }
}
