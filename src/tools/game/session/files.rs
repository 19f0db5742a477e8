use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::session::commands::Command;
use crate::session::{Pane, Pending, Request, Session};
use crate::system::clock::Instant;
use crate::system::files;
use crate::system::jobs::{Job, Outcome};
use crate::system::threads;
use crate::tools::game::words as text;
use crate::tools::game::{self, AfterSaving, Game, Lane, Opening, SaveTarget, Saving, Shown};
use crate::ui::words::counted;

/// The interval at which [`Session::wait_for_opening`] checks whether the recording is open.
const CHECK_INTERVAL: Duration = Duration::from_millis(2);

impl Session {
    pub fn open_recording(&mut self, path: PathBuf) {
        let (own, id) = (path.clone(), self.tools.games.new_id());
        let job = Job::start(move |report| async move {
            match game::open(&own, id, &mut |done| report.done(done)).await {
                Ok(Some(opened)) => Some(Ok(opened)),
                Ok(None) => None,
                Err(error) => Some(Err(error)),
            }
        });
        match job {
            Ok(job) => {
                self.tools.games.opening = Some(Opening { path, body: None, job });
                self.window.requests.push(Request::ShowPane(Pane::Game));
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_opening(&mut self) -> bool {
        let Some(opening) = &self.tools.games.opening else { return false };
        let opened = match opening.job.poll() {
            Outcome::Running => return true,
            Outcome::Nothing => None,
            Outcome::Done(done) => Some(done),
        };
        let Some(Opening { path, body, .. }) = self.tools.games.opening.take() else { return true };
        match opened {
            None => self.notify(text::opening_cancelled(&path.display())),
            Some(Err(error)) => self.fail(error),
            Some(Ok((mut game, warning))) => {
                let text = summary(&game);
                let shown = Shown { game: game.id, character: game.first_character() };
                game.set_body(body);
                self.add_game(game);
                // The user may have made changes while the recording was opened, so the window may have to ask first.
                self.unless_unsaved(Pending::ShowGame(shown));
                match warning {
                    Some(warning) => self.fail(warning),
                    None => self.notify(text),
                }
            }
        }
        true
    }

    pub fn wait_for_opening(&mut self, longest: Duration) {
        let started = Instant::now();
        if let Err(error) = self.wait_for_model(longest) {
            self.fail(error);
        }
        while self.tools.games.opening.is_some() && started.elapsed() < longest {
            threads::sleep(CHECK_INTERVAL);
            self.update_opening();
        }
    }

    pub(crate) fn save_recording(&mut self, path: &Path) {
        if let Some(saving) = &self.tools.games.saving {
            let text = text::still_saving(&saving.path.display());
            return self.fail(text);
        }
        let Some(game) = self.tools.games.to_save().filter(|game| !game.is_empty()) else {
            return self.fail(text::NO_GAME_TO_SAVE);
        };
        let then = match self.tools.games.save_target {
            SaveTarget::Shown => AfterSaving::Stay,
            SaveTarget::BeforeQuit(_) => AfterSaving::Quit,
        };
        let saving =
            files::check_output(path, &self.inputs()).and_then(|()| Saving::start(path.to_owned(), game, then));
        match saving {
            Ok(saving) => {
                self.tools.games.saving = Some(saving);
                self.tools.games.save_target = SaveTarget::Shown;
            }
            Err(error) => self.fail(error),
        }
    }

    pub(crate) fn update_saving(&mut self) -> bool {
        let Some(saving) = &self.tools.games.saving else { return false };
        let done = match saving.job.poll() {
            Outcome::Running => return true,
            Outcome::Nothing => None,
            Outcome::Done(done) => Some(done),
        };
        let Some(saving) = self.tools.games.saving.take() else { return true };
        match done {
            Some(Ok(frames)) => {
                if let Some(game) = self.tools.games.games.iter_mut().find(|game| saving.is_of(game)) {
                    saving.mark_saved(game);
                }
                self.notify(text::saved_to(&counted(frames, "frame"), &saving.path.display()));
                match saving.then {
                    AfterSaving::Stay => {}
                    AfterSaving::Quit => self.run(Command::Quit),
                }
            }
            Some(Err(error)) => self.fail(error),
            None => self.fail(text::not_written(&saving.path.display())),
        }
        true
    }
}

fn summary(game: &Game) -> String {
    let characters = match game.lanes.len() {
        1 => String::new(),
        count => text::of_characters(&count),
    };
    let span = |lane: &Lane| Some(lane.last()?.outline.time - lane.first()?.outline.time);
    let seconds = game.lanes.iter().filter_map(span).fold(0.0, f64::max);
    text::summary(&game.name, &counted(game.len(), "frame"), &characters, &seconds)
}
