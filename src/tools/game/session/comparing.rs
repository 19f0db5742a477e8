//! Compares the game's result with Kinescope's, and collects verdicts for frames of the game shown.

use crate::session::Session;
use crate::session::commands::Command;
use crate::tools::game::words as text;
use crate::tools::game::{Judge, Judged};
use crate::tools::steps::Port;

impl Session {
    pub(crate) fn compare_with_game(&mut self) {
        let Some((game, character)) = self.tools.games.shown() else { return };
        let is_wanted = self.tools.games.shows_result() && self.tools.debugger.what_if.is_none();
        let entry =
            game.lanes[character].get(self.world.time.frame).filter(|entry| is_wanted && entry.outline.has_result);
        self.tools.debugger.port = entry.zip(self.world.solved.full_body()).and_then(|(entry, run)| {
            let name = text::result_of_frame(&game.name, &entry.outline.frame);
            let frame = game.source(entry).read().ok()?;
            let [reported, own] = frame.traces_of_run(&game.characters[character], run, &self.world.solved.pose);
            Some(Port::new(name, reported, &own, &self.world.solved))
        });
    }

    pub(crate) fn update_judge(&mut self) -> bool {
        let done = self.tools.games.judge.as_mut().map(Judge::take).unwrap_or_default();
        let changed = !done.is_empty();
        for ((id, character, number), judged) in done {
            let Some(game) = self.tools.games.get_mut(id) else { continue };
            let lane = game.lanes.get(character);
            let is_first = lane.is_some_and(|lane| !lane.has_broken);
            let frame = lane.and_then(|lane| lane.get(number)).map(|entry| entry.outline.frame);
            game.judged(character, number, &judged);
            if let Judged::Broken(why) = &judged
                && is_first
            {
                let text = text::frame_ignored(&frame.unwrap_or(number), &game.name, &why);
                self.fail(text);
            }
        }
        self.tools.games.send_to_judge(Judge::start);
        changed
    }

    pub(crate) fn seek_difference(&mut self, after: bool) {
        let Some(lane) = self.lane() else {
            return self.notify(text::NO_GAME_TO_COMPARE);
        };
        let found = lane.difference(self.world.time.frame, after);
        // While live, no frame follows the one shown, so the search continues with the first difference of the game.
        let first = || lane.beginnings().next().map(|(number, _)| number);
        let found = found.or_else(|| first().filter(|_| after && !self.world.time.is_paused()));
        if let Some(number) = found {
            self.seek_frame(number);
            return self.seek_first_difference();
        }
        let is_busy = self.tools.games.judge.as_ref().is_some_and(Judge::is_busy);
        let so_far = if is_busy { text::SO_FAR } else { "" };
        let (command, direction) = match after {
            true => (Command::PreviousDifference, text::DIRECTION_BACK),
            false => (Command::NextDifference, text::DIRECTION_ON),
        };
        let other = lane.difference(self.world.time.frame, !after).and_then(|number| lane.get(number)).map(|entry| {
            let shortcut = command.info().shortcut_text();
            text::other_difference(&shortcut, &direction, &entry.outline.frame)
        });
        self.notify(text::no_further_difference(&so_far, &other.unwrap_or_default()));
    }
}
