use kinescope_ik::game_recording::Mark;

/// Largest number of marks per game. Beyond it, the oldest mark is dropped.
pub const MOST_MARKS: usize = 4096;
/// Largest number of characters of a mark.
const LONGEST_MARK: usize = 80;

#[derive(Clone, Debug, Default)]
pub struct Marks {
    kept: Vec<Mark>,
    pub lost: u64,
}

impl Marks {
    pub fn iter(&self) -> std::slice::Iter<'_, Mark> {
        self.kept.iter()
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    pub fn add(&mut self, mark: &Mark) {
        let at = self.kept.partition_point(|other| other.time <= mark.time);
        self.kept.insert(at, cut_short(mark));
        if self.kept.len() > MOST_MARKS {
            self.kept.remove(0);
            self.lost += 1;
        }
    }

    pub(super) fn remove(&mut self, mark: &Mark) -> bool {
        let before = self.kept.len();
        self.kept.retain(|other| other != mark);
        self.kept.len() < before
    }
}

pub(super) fn cut_short(mark: &Mark) -> Mark {
    let text = mark.mark.chars().filter(|letter| !letter.is_control()).take(LONGEST_MARK).collect();
    Mark { mark: text, time: mark.time }
}
