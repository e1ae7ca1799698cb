//! The rules that turn a stock, if macro moves of the stock apply.

use crate::bits::bits;
use crate::position::moves::Move;
use crate::program::compiled::Program;
use crate::program::footprint::Footprint;
use crate::program::format::During;
use crate::search::spaces::plain_turn::PlainTurn;

/// The most rules of a game with macro moves of the stock: their masks have a bit for each.
const MOST_RULES: usize = 128;

/// The rules of a program that turn the stock.
#[derive(Debug)]
pub(crate) struct StockRules {
    /// The rules, as a mask.
    pub(crate) rules: u128,
    /// The same rules as a list, and the others that may take from the waste.
    pub(crate) turning: Vec<u8>,
    pub(crate) taking: Vec<u8>,
    /// Stock and waste, as a mask.
    pub(crate) both: u128,
    pub(crate) stock: u8,
    pub(crate) waste: u8,
    /// The turns by all of the rules, if all are plain.
    pub(crate) plain: Option<Box<[PlainTurn]>>,
}

impl StockRules {
    /// The rules of a program that turn the stock, if macro moves of the stock apply.
    pub(crate) fn new(program: &Program) -> Option<Self> {
        let game = program.source();
        if game.rules.len() > MOST_RULES {
            return None;
        }
        let stock = 1u128 << game.source_pile;
        let rules = || game.rules.iter().zip(&program.footprints).enumerate();
        // The waste is the target of the first rule that takes only from the stock and puts on only
        // one pile.
        let (_, waste) = rules()
            .filter(|(_, (rule, _))| !rule.forced)
            .map(|(_, (_, footprint))| (footprint.takes, footprint.puts()))
            .find(|&(from, to)| from == stock && to.is_power_of_two() && to != stock)?;
        let both = stock | waste;
        let is_turn = |footprint: &Footprint| {
            !footprint.has_choice
                && !footprint.asks_for_moves
                && footprint.looks_at() & !both == 0
                && footprint.puts() != 0
        };
        let mut turns = 0u128;
        let (mut looked, mut changed) = (0, 0);
        for (index, (rule, footprint)) in rules() {
            if !rule.forced && is_turn(footprint) {
                turns |= 1 << index;
                looked |= footprint.counters_read;
                changed |= footprint.counters_written;
            }
        }
        let looks = |footprint: &Footprint| {
            (footprint.reads | footprint.measures) & both != 0
                || footprint.counters_read & changed != 0
                || footprint.asks_for_moves
        };
        for (index, (rule, footprint)) in rules() {
            if turns >> index & 1 != 0 || rule.during == During::Layout {
                continue;
            }
            let takes = footprint.takes;
            let touches = takes & stock != 0
                || rule.forced && takes & both != 0
                || (footprint.puts() | footprint.turns | footprint.closes) & both != 0;
            let disturbs = footprint.counters_written & (looked | changed) != 0;
            if touches || disturbs || looks(footprint) {
                return None;
            }
        }
        if looks(&program.aim) {
            return None;
        }
        let of = |wanted: u128| bits(wanted).map(|rule| rule as u8).collect();
        let takes = program
            .free
            .iter()
            .filter(|&&rule| program.footprint(rule).takes & waste != 0)
            .fold(0, |rules, &rule| rules | 1 << rule);
        Some(Self {
            rules: turns,
            turning: of(turns),
            taking: of(takes & !turns),
            both,
            stock: game.source_pile,
            waste: bits(waste).next().unwrap_or(0) as u8,
            plain: bits(turns).map(|rule| PlainTurn::new(program, rule as u8)).collect(),
        })
    }

    /// The rules that turn the stock, as a mask.
    pub(crate) const fn rules(&self) -> u128 {
        self.rules
    }

    /// The pile that the stock is turned onto.
    pub(crate) const fn waste(&self) -> u8 {
        self.waste
    }

    pub(crate) const fn has(&self, played: Move) -> bool {
        self.rules >> played.rule() & 1 != 0
    }
}
