//! Environments: numbered actions, observations, batches.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::support::{cases, compile, games};
use cadogan_kernel::program::Source;
use cadogan_kernel::{
    ActionSpace, ActionSpaceError, Autoreset, Batch, BatchOptions, Buffers, HIDDEN, Journal, Move,
    ObservationSpace, Part, Program, Rewards, Shown, SplitMix64, State, StepError,
};
use proptest::prelude::*;

const OPTIONS: BatchOptions = BatchOptions {
    max_moves: 60,
    autoreset: Autoreset::NextStep,
    rewards: Rewards { won: 1.0, cards: 0.0, kept: 0.0, budget: 0 },
    deals: [0, 1000],
    strict: false,
    threads: 1,
};

fn named(name: &str) -> Source {
    let mut games = games::all().into_iter();
    games.find(|game| game.0 == name).expect("there is this game").1
}

struct Table {
    program: Arc<Program>,
    actions: Arc<ActionSpace>,
    observations: Arc<ObservationSpace>,
    batch: Batch,
    seen: Vec<u8>,
    masks: Vec<i8>,
    rewards: Vec<f64>,
    flags: [Vec<bool>; 4],
    deals: Vec<u64>,
}

impl Table {
    fn new(program: Program, games: usize, options: BatchOptions) -> Self {
        let program = Arc::new(program);
        let actions = Arc::new(ActionSpace::new(&program).expect("there are actions"));
        let shown = vec![Shown::All; program.piles()];
        let observations = Arc::new(ObservationSpace::new(&program, &shown));
        let batch = Batch::new(
            Arc::clone(&program),
            Arc::clone(&actions),
            Arc::clone(&observations),
            games,
            options,
        );
        Self {
            batch,
            seen: vec![0; games * observations.size()],
            masks: vec![0; games * actions.len()],
            rewards: vec![0.0; games],
            flags: std::array::from_fn(|_| vec![false; games]),
            deals: vec![0; games],
            program,
            actions,
            observations,
        }
    }

    fn with<T>(&mut self, call: impl FnOnce(&mut Batch, Buffers<'_>) -> T) -> T {
        let [terminated, truncated, won, illegal] = &mut self.flags;
        let buffers = Buffers {
            observations: &mut self.seen,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            won,
            illegal,
            deals: &mut self.deals,
        };
        call(&mut self.batch, buffers)
    }

    fn seed(&mut self, first: u64) {
        let games = self.batch.len();
        let seeds: Vec<_> = (0..games as u64).map(|game| Some(first + game)).collect();
        self.with(|batch, buffers| batch.reset(&vec![true; games], &seeds, buffers, &mut || false))
            .expect("they are dealt");
    }

    fn step(&mut self, actions: &[i64]) -> Result<(), StepError> {
        self.with(|batch, buffers| batch.step(actions, buffers, &mut || false))
    }

    fn sample(&mut self) -> Vec<i64> {
        let mut actions = vec![0; self.batch.len()];
        self.batch.sample(&mut actions).expect("an action for each game");
        actions
    }

    /// The legal actions by the mask.
    fn legal(&self, game: usize) -> BTreeSet<usize> {
        let mask = &self.masks[game * self.actions.len()..(game + 1) * self.actions.len()];
        (0..mask.len()).filter(|&action| mask[action] == 1).collect()
    }

    fn row(&self, game: usize) -> &[u8] {
        &self.seen[game * self.observations.size()..(game + 1) * self.observations.size()]
    }

    fn written(&self, state: &State) -> Vec<u8> {
        let mut row = vec![99; self.observations.size()];
        self.observations.write(&self.program, state, &mut row);
        row
    }
}

fn numbered(table: &Table, state: &State) -> Vec<(usize, Move)> {
    let moves = state.moves(&table.program).into_iter();
    moves.map(|legal| (table.actions.number(legal) as usize, legal)).collect()
}

fn coded(number: usize) -> i64 {
    i64::try_from(number).expect("a small number")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// A game in a batch is the game that [`State`] plays: the same moves, cards and end.
    #[test]
    fn a_batch_plays_by_the_rules(
        game in 0..games::all().len(), number in 0..500u64, seed: u64,
    ) {
        let mut table = Table::new(compile(games::all().swap_remove(game).1), 1, OPTIONS);
        let program = Arc::clone(&table.program);
        table.seed(number);
        let (mut state, _) = program.deal(&program.deck(number)).expect("the pack");
        let mut chance = SplitMix64::new(seed);
        let highest = table.observations.highest(&program);
        for moves in 1..=OPTIONS.max_moves {
            let legal = numbered(&table, &state);
            let numbers: BTreeSet<usize> = legal.iter().map(|&(number, _)| number).collect();
            prop_assert_eq!(numbers.len(), legal.len(), "two moves have one number");
            prop_assert_eq!(&numbers, &table.legal(0));
            prop_assert_eq!(table.row(0), table.written(&state));
            prop_assert!(table.row(0).iter().zip(&highest).all(|(byte, most)| byte <= most));
            if legal.is_empty() {
                break;
            }
            for &(number, legal) in &legal {
                let action = table.actions.actions()[number];
                prop_assert_eq!(action.rule, legal.rule());
                prop_assert_eq!(action.from.unwrap_or(255), legal.from());
                prop_assert_eq!(action.to.unwrap_or(255), legal.to());
                prop_assert_eq!(action.count.unwrap_or(legal.count()), legal.count());
            }
            let (number, played) = legal[chance.below(legal.len() as u64) as usize];
            table.step(&[coded(number)]).expect("it is legal");
            state.play(&program, played, &mut Journal::new()).expect("it is legal");
            let is_over = state.moves(&program).is_empty();
            let won = state.is_won(&program);
            prop_assert_eq!(table.flags[0][0], is_over);
            prop_assert_eq!(table.flags[1][0], !is_over && moves == OPTIONS.max_moves);
            prop_assert_eq!(table.flags[2][0], won);
            prop_assert_eq!(table.rewards[0].to_bits(), f64::from(u8::from(won)).to_bits());
        }
    }

    /// Any number of threads gives the same games.
    #[test]
    fn threads_do_not_matter(game in 0..games::all().len(), number in 0..500u64) {
        let run = |threads| {
            let program = compile(games::all().swap_remove(game).1);
            let mut table = Table::new(program, 7, BatchOptions { threads, max_moves: 9, ..OPTIONS });
            table.seed(number);
            let mut log = Vec::new();
            for _ in 0..25 {
                let actions = table.sample();
                table.step(&actions).expect("they are legal");
                log.push((table.seen.clone(), table.masks.clone(), table.deals.clone()));
            }
            log
        };
        prop_assert_eq!(run(1), run(3));
    }

    /// Two deals that look alike have the same observations and masks until they look different.
    #[test]
    fn hidden_cards_do_not_show(
        game in prop::sample::select(vec!["klondike", "siege", "couples", "payments"]),
        number in 0..500u64, other: u64,
    ) {
        let program = compile(named(game));
        let mut table = Table::new(program, 2, OPTIONS);
        let mut deck = table.program.deck(number);
        table.seed(number);
        let mut chance = SplitMix64::new(other);
        for _ in 0..3 {
let mut place = || chance.below(deck.len() as u64) as usize;
            let (one, another) = (place(), place());
            deck.swap(one, another);
        }
        table.with(|batch, buffers| batch.deal(1, &deck, buffers, &mut || false)).expect("the pack");
        while table.row(0) == table.row(1) {
            prop_assert_eq!(table.legal(0), table.legal(1));
            let action = table.sample()[0];
            table.step(&[action, action]).expect("it is legal");
            if table.flags[0][0] || table.flags[1][0] {
                break;
            }
        }
    }
}

#[test]
fn a_game_without_moves_has_no_actions() {
    let mut source = named("garden");
    source.rules.clear();
    assert_eq!(ActionSpace::new(&compile(source)).err(), Some(ActionSpaceError::None));
}

#[test]
fn the_parts_of_an_observation_fill_it() {
    for (name, game) in games::all() {
        let table = Table::new(compile(game), 1, OPTIONS);
        let mut end = 0;
        for &(_, start, length) in table.observations.parts() {
            assert_eq!(start, end, "{name}");
            end += length;
        }
        assert_eq!(end, table.observations.size(), "{name}");
    }
}

#[test]
fn a_pile_is_seen_as_far_as_it_is_shown() {
    let program = compile(named("klondike"));
    let (state, _) = program.deal(&program.deck(1)).expect("the pack");
    let pile = (0..program.piles()).find(|&pile| {
        let cards = state.pile(pile);
        cards.len() > 1 && cards[0] >= 64 && cards[cards.len() - 1] < 64
    });
    let pile = pile.expect("a pile with one card face up");
    let cards = state.pile(pile);
    for (shown, top) in [
        (Shown::All, cards[cards.len() - 1] + 1),
        (Shown::Top, cards[cards.len() - 1] + 1),
        (Shown::None, HIDDEN),
    ] {
        let space = ObservationSpace::new(&program, &vec![shown; pile + 1]);
        let &(part, start, length) = space.parts().get(pile).expect("it is a part");
        assert_eq!(part, Part::Pile(pile as u8));
        let mut row = vec![99; space.size()];
        space.write(&program, &state, &mut row);
        let row = &row[start..start + length];
        assert_eq!((row[0], row[1]), (top, HIDDEN));
        assert!(row[cards.len()..].iter().all(|&byte| byte == 0));
    }
}

#[test]
fn bad_actions_change_nothing() {
    let program = compile(named("klondike"));
    let options =
        BatchOptions { strict: true, autoreset: Autoreset::Disabled, max_moves: 1, ..OPTIONS };
    let mut table = Table::new(program, 2, options);
    assert_eq!(table.step(&[0, 0]), Err(StepError::Over { game: 0 }));
    table.seed(1);
    let before = (table.seen.clone(), table.masks.clone());
    let last = table.actions.len() - 1;
    let good = table.sample()[0];
    let bad = (0..=last).find(|action| !table.legal(1).contains(action)).expect("one");
    let bad = coded(bad);
    assert_eq!(table.step(&[good, -1]), Err(StepError::NoAction { game: 1, action: -1, last }));
    assert_eq!(table.step(&[good, bad]), Err(StepError::Illegal { game: 1, action: bad }));
    assert!(matches!(table.step(&[good]), Err(StepError::WrongLength { .. })));
    assert_eq!(before, (table.seen.clone(), table.masks.clone()));
    let actions = table.sample();
    table.step(&actions).expect("they are legal");
    assert_eq!(table.flags[1], [true, true], "they are too long");
    assert_eq!(table.step(&actions), Err(StepError::Over { game: 0 }));
}

#[test]
fn a_skipped_action_takes_a_step() {
    let program = compile(named("klondike"));
    let mut table = Table::new(program, 1, BatchOptions { max_moves: 2, ..OPTIONS });
    table.seed(1);
    let before = table.seen.clone();
    let illegal = (0..table.actions.len()).find(|action| !table.legal(0).contains(action));
    let illegal = coded(illegal.expect("one"));
    table.step(&[illegal]).expect("it is skipped");
    assert!(table.flags[3][0] && !table.flags[1][0]);
    table.step(&[illegal]).expect("it is skipped");
    assert!(table.flags[3][0] && table.flags[1][0]);
    assert_eq!(table.seen, before);
    // The next step deals.
    table.step(&[illegal]).expect("it is ignored");
    assert!(!table.flags[1][0] && !table.flags[3][0] && table.seen != before);
}

/// The reward for keeping the win agrees with the solver.
#[test]
fn a_move_that_loses_the_win_costs() {
    use cadogan_kernel::{Options, Verdict, solve};
    let rewards = Rewards { won: 0.0, cards: 0.0, kept: 1.0, budget: 20_000 };
    let mut thrown = 0;
    for (name, game) in games::all() {
        let program = compile(game);
        let mut table = Table::new(program, 1, BatchOptions { rewards, max_moves: 15, ..OPTIONS });
        let program = Arc::clone(&table.program);
        let wins =
            |state: &State| match solve(&program, state, &Options::nodes(20_000), &mut |_| true)
                .verdict
            {
                Verdict::Winnable(_) => Some(true),
                Verdict::Unwinnable => Some(false),
                Verdict::Unknown => None,
            };
        for number in 0..cases(1, 3, 10) {
            table.seed(number);
            let (mut state, _) = program.deal(&program.deck(number)).expect("the pack");
            loop {
                let before = table.batch.verdicts().next().flatten();
                if let (Some(known), Some(found)) = (before, wins(&state)) {
                    assert_eq!(known, found, "{name} {number}");
                }
                let action = table.sample()[0];
                let legal = numbered(&table, &state);
                let Some(&(_, played)) = legal.iter().find(|each| coded(each.0) == action) else {
                    break;
                };
                state.play(&program, played, &mut Journal::new()).expect("it is legal");
                table.step(&[action]).expect("it is legal");
                let after = table.batch.verdicts().next().flatten();
                let lost = before == Some(true) && after == Some(false);
                thrown += u32::from(lost);
                assert_eq!(table.rewards[0] < 0.0, lost, "{name} {number}");
                if table.flags[0][0] || table.flags[1][0] {
                    break;
                }
            }
        }
    }
    assert!(thrown > 0, "no move was a mistake");
}
