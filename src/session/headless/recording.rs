//! Recordings of clips, which only the command line makes.

use super::Headless;
use crate::session::rig_of;
use kinescope_ik::game_recording::{GameCharacter, GameFrame, Header, Writer};
use kinescope_ik::slices::finish;
use kinescope_ik::trace::{Rig, Trace};

impl Headless {
    pub(crate) fn record_whole(&mut self, frames_per_second: f32) -> Result<String, String> {
        let name = self.character.model.name.clone();
        let Rig { skeleton, biped, reference, .. } = rig_of(&self.character, &[])?;
        let character = GameCharacter { name: name.clone(), skeleton, biped, reference };
        let producer = format!("Kinescope {}", env!("CARGO_PKG_VERSION"));
        let header = Header { producer, characters: vec![character] };
        let (mut writer, mut text) = Writer::new(&header);
        let mut frame = 0;
        finish(self.each(self.whole_clip(frames_per_second), &mut |_| true, &mut |own, time| {
            let run = own.full_body("record")?;
            let rig = header.characters[0].rig(run.animated.to_vec());
            let trace = Trace::solve(&name, rig, run.settings).map_err(|error| format!("{name}: {error}"))?;
            let recorded = GameFrame::of_trace(&trace, (0, frame, f64::from(time)));
            text.push_str(&writer.frame(&recorded).unwrap_or_default());
            frame += 1;
            Ok(())
        }))?;
        Ok(text)
    }
}
