//! Rules.

use serde::{Deserialize, Serialize};

use super::action::Action;
use super::condition::Condition;
use super::effect::Effect;

/// When a forced rule is in force. Free rules are always `Play`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum During {
    /// Only while the table is laid out.
    Layout,
    /// Only after the layout.
    Play,
    /// Both.
    Always,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Its name in the rules file.
    pub name: String,
    /// Forced rules are carried out automatically, before anything else may happen.
    pub forced: bool,
    /// When it is in force.
    pub during: During,
    /// It can be used only while all of these hold.
    pub when: Vec<Condition>,
    /// What it does.
    pub action: Action,
    /// What it does to counters, afterwards.
    pub effects: Vec<Effect>,
}
