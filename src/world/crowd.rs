use serde::{Deserialize, Serialize};

use kinescope_ik::crowd::{DETAIL_RULES, Rule, Threads, default_rules};
use kinescope_ik::error::{Fault, Problem};
use kinescope_ik::parameter::{Parameters, settings};

settings! {
    /// Section `crowd` of a preset.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct CrowdSection {
        /// Number of members besides the character.
        count: u32 = 0, from 0 to 2000 in Count,
            too little: "The character is alone.",
            too much: "Members walk through each other.";
        /// Whether every member gets full detail at any distance.
        all_detail: bool = false;
        /// Rules for the level of detail; the first match applies. Without the field, five built-in rules apply.
        rules: Vec<Rule> = default_rules();
        /// How members are distributed over threads.
        threads: Threads = Threads::Auto;
    }
}

impl CrowdSection {
    pub fn validate(&self) -> Result<(), Fault> {
        self.check().map_err(|fault| fault.within("crowd"))
    }

    fn check(&self) -> Result<(), Fault> {
        self.check_numbers()?;
        let found = self.rules.len();
        if found > DETAIL_RULES {
            return Err(Fault::new("rules", Problem::TooMany { what: "rules", found, most: DETAIL_RULES }));
        }
        for (index, rule) in self.rules.iter().enumerate() {
            rule.check().map_err(|fault| fault.within(format!("rules[{index}]")))?;
        }
        Ok(())
    }

    pub(crate) fn rules_in_force(&self) -> &[Rule] {
        if self.all_detail { &[] } else { &self.rules }
    }
}
