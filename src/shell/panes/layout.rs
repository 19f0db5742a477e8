use egui_tiles::{Container, Linear, LinearDir, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

use crate::session::Pane;
use crate::session::navigation::Navigation;
use crate::session::pane::Place;
use crate::shell::panes::words as text;
use crate::system::files::{self, SizeLimit};
use crate::system::order::sort_by_key;
use crate::ui::CLIP_TRACK_HEIGHT;

/// Sizes in logical pixels in a window of 1440×900. [`Layout::fit`] scales the widths to other windows.
const OUTLINER_WIDTH: f32 = 232.0;
const INSPECTOR_WIDTH: f32 = 356.0;
const WINDOW_WIDTH: f32 = 1440.0;
const PICTURE_WIDTH: f32 = WINDOW_WIDTH - OUTLINER_WIDTH - INSPECTOR_WIDTH;
const UPPER_HEIGHT: f32 = 900.0 - 66.0 - Pane::Timeline.info().height();
/// Smallest readable heights of plots and profiler, logical pixels.
const LEAST_HEIGHTS: [f32; 2] = [150.0, 124.0];
/// Additional smallest height of plots while the picture keeps [`LEAST_PICTURE_HEIGHT`], because curves in lower plots look
/// flat.
const MORE_FOR_PLOTS: f32 = 34.0;
/// Smallest height of the picture, logical pixels. If plots and profiler do not fit below it, they share the place of the
/// timeline's strips.
const LEAST_PICTURE_HEIGHT: f32 = 240.0;
const GUESTS: [Pane; 2] = [Pane::Plots, Pane::Profiler];
/// Height of the tabs of panes that share the timeline's place, logical pixels. The tabs take their height from the strip of
/// frames, not from the tools above.
pub(crate) const GUEST_TABS_HEIGHT: f32 = 22.0;
const LEAST_TIMELINE_HEIGHT: f32 = 200.0;
/// Smallest height of the picture while plots and profiler exceed their minimum, logical pixels.
const UPPER_BESIDE_PANES: f32 = 300.0;
/// Smallest height of the picture in any window, logical pixels.
const LEAST_UPPER_HEIGHT: f32 = 60.0;

/// Width that the controls of panes beside the picture need, logical pixels. Narrower panes scroll.
pub(crate) const FORM_WIDTH: f32 = 348.0;
const LEAST_OUTLINER_WIDTH: f32 = 160.0;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Layout {
    pub(crate) tree: Tree<Pane>,
    /// Widths of outliner, picture and right pane when they were last fitted to the window. If the widths differ now, the
    /// user has resized the panes.
    #[serde(default)]
    fitted: Option<[f32; 3]>,
    #[serde(default)]
    heights: Option<Heights>,
    /// Whether plots and profiler share the place of the timeline's strips, because the window is too low.
    #[serde(skip)]
    is_low: bool,
    #[serde(skip)]
    front: Option<Pane>,
    #[serde(default)]
    pub navigation: Navigation,
}

/// Heights of plots, profiler and timeline, logical pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Heights {
    /// Preferred heights in a high window. The timeline's height excludes the clip track.
    wanted: [f32; 3],
    /// Heights that were set last. If the heights differ now, the user has resized the panes.
    set: [f32; 3],
    is_shown: [bool; 3],
    has_clip: bool,
}

impl Heights {
    const DEFAULT: Self = Self { wanted: Self::OWN, set: Self::OWN, is_shown: [true; 3], has_clip: false };
    const OWN: [f32; 3] = [Pane::Plots.info().height(), Pane::Profiler.info().height(), Pane::Timeline.info().height()];

    fn is_usable(&self) -> bool {
        self.wanted.iter().chain(&self.set).all(|height| (0.0..1e6).contains(height))
    }
}

fn add(linear: &mut Linear, tile: TileId, share: f32) {
    linear.children.push(tile);
    linear.shares.set_share(tile, share);
}

impl Default for Layout {
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut places: Vec<(Place, TileId)> =
            Pane::ALL.into_iter().map(|pane| (pane.info().place, tiles.insert_pane(pane))).collect();
        for (pane, (_, tile)) in Pane::ALL.into_iter().zip(&places) {
            tiles.set_visible(*tile, pane.info().is_open);
        }
        sort_by_key(&mut places, |(place, _)| place.order());
        let tabs = places.iter().filter(|(place, _)| matches!(place, Place::Tab(_))).map(|(_, tile)| *tile).collect();
        let right = tiles.insert_tab_tile(tabs);
        let mut upper = Linear { dir: LinearDir::Horizontal, ..Linear::default() };
        let mut below = Vec::new();
        for (place, tile) in places {
            match place {
                Place::Left => add(&mut upper, tile, OUTLINER_WIDTH),
                Place::Center => add(&mut upper, tile, PICTURE_WIDTH),
                Place::Tab(_) => {}
                Place::Below { height, .. } => below.push((tile, height)),
            }
        }
        add(&mut upper, right, INSPECTOR_WIDTH);
        let upper = tiles.insert_container(Container::Linear(upper));
        let mut all = Linear { dir: LinearDir::Vertical, ..Linear::default() };
        add(&mut all, upper, UPPER_HEIGHT);
        below.into_iter().for_each(|(tile, height)| add(&mut all, tile, height));
        let root = tiles.insert_container(Container::Linear(all));
        Self {
            tree: Tree::new("panes", root, tiles),
            fitted: None,
            heights: None,
            is_low: false,
            front: None,
            navigation: Navigation::default(),
        }
    }
}

impl Layout {
    /// Distributes a window's width in logical pixels, so that the controls of panes beside the picture fit. All widths
    /// stay if the user has resized one of these panes or docked them elsewhere.
    pub(crate) fn fit(&mut self, width: f32) {
        let beside = |tile: Option<TileId>, tree: &Tree<Pane>| {
            let mut tile = tile?;
            // For a tab, the width is that of its container.
            while let Some(parent) = tree.tiles.parent_of(tile) {
                match tree.tiles.get(parent) {
                    Some(Tile::Container(Container::Tabs(_))) => tile = parent,
                    _ => return Some((parent, tile)),
                }
            }
            None
        };
        let tiles = [Pane::Outliner, Pane::Picture, Pane::Inspector].map(|pane| beside(self.tile(pane), &self.tree));
        let [Some((parent, outliner)), Some((other, picture)), Some((third, right))] = tiles else { return };
        if parent != other || parent != third {
            return;
        }
        let Some(Tile::Container(Container::Linear(linear))) = self.tree.tiles.get_mut(parent) else { return };
        let ids = [outliner, picture, right];
        let now = ids.map(|id| linear.shares[id]);
        if now != self.fitted.unwrap_or([OUTLINER_WIDTH, PICTURE_WIDTH, INSPECTOR_WIDTH]) {
            return;
        }
        let share = |wanted: f32, least: f32| (wanted * width / WINDOW_WIDTH).max(least);
        let (outliner, right) = (share(OUTLINER_WIDTH, LEAST_OUTLINER_WIDTH), share(INSPECTOR_WIDTH, FORM_WIDTH + 4.0));
        let shares = [outliner, (width - outliner - right).max(FORM_WIDTH), right];
        for (id, share) in ids.into_iter().zip(shares) {
            linear.shares.set_share(id, share);
        }
        self.fitted = Some(shares);
    }

    /// Distributes the height of a window whose panes are docked in the default order, so that all rows of the timeline
    /// fit. Heights that the user has changed become the wanted heights.
    pub(crate) fn fit_heights(&mut self, height: f32, has_clip: bool) {
        let was_low = std::mem::take(&mut self.is_low);
        let Some(timeline) = self.tile(Pane::Timeline) else { return };
        let Some(parent) = self.tree.tiles.parent_of(timeline) else { return };
        let own = [Pane::Plots, Pane::Profiler, Pane::Timeline].map(|pane| self.tile(pane));
        let is_visible = |id: &TileId| self.tree.tiles.is_visible(*id);
        let Some(Tile::Container(Container::Linear(linear))) = self.tree.tiles.get(parent) else { return };
        let mut shown: Vec<TileId> = linear.children.iter().copied().filter(is_visible).collect();
        let of_upper = |id: &&TileId| !own.contains(&Some(**id));
        if linear.dir != LinearDir::Vertical || shown.iter().filter(of_upper).count() != 1 {
            return;
        }
        let clip = if has_clip { CLIP_TRACK_HEIGHT } else { 0.0 };
        let shares = own.map(|id| id.map_or(0.0, |id| linear.shares[id]));
        let known = self.heights.unwrap_or(Heights::DEFAULT);
        let mut wanted = known.wanted;
        let sum: f32 = shown.iter().map(|&id| linear.shares[id]).sum();
        let is_of = |shown: &[TileId]| own.map(|id| id.is_some_and(|id| shown.contains(&id)));
        let is_there = is_of(&shown);
        for index in 0..wanted.len() {
            // A height that differs from the one set last is a change by the user.
            if is_there[index] && known.is_shown[index] && (shares[index] - known.set[index]).abs() > 0.5 {
                let clip = if index == 2 && known.has_clip { CLIP_TRACK_HEIGHT } else { 0.0 };
                wanted[index] = shares[index] / sum.max(1.0) * (height - (shown.len() - 1) as f32) - clip;
            }
        }
        let room_beside = |timeline: f32, panes: usize| height - panes as f32 - timeline - LEAST_PICTURE_HEIGHT;
        let least_of =
            |indices: &mut dyn Iterator<Item = usize>| indices.map(|index| LEAST_HEIGHTS[index]).sum::<f32>();
        let least_timeline = LEAST_TIMELINE_HEIGHT + clip;
        let most_timeline = (height - 1.0 - LEAST_PICTURE_HEIGHT).max(least_timeline).min(height - LEAST_UPPER_HEIGHT);
        let timeline = match is_there[2] {
            true => (wanted[2].max(LEAST_TIMELINE_HEIGHT) + clip).min(most_timeline),
            false => 0.0,
        };
        let open = (0..2).filter(|&index| is_there[index]);
        let is_low = is_there[2] && room_beside(timeline, open.clone().count() + 1) < least_of(&mut open.clone());
        let is_there = match is_low {
            true => {
                shown.retain(|id| !open.clone().any(|index| own[index] == Some(*id)));
                is_of(&shown)
            }
            false => is_there,
        };
        let height = height - (shown.len() - 1) as f32;
        // Plots and profiler give height to the picture, down to their readable minimum.
        let mut least_heights = LEAST_HEIGHTS;
        let least: f32 = least_of(&mut (0..2).filter(|&index| is_there[index]));
        least_heights[0] += (height - timeline - least - LEAST_PICTURE_HEIGHT).clamp(0.0, MORE_FOR_PLOTS);
        let sum_of = |wanted: [f32; 3]| {
            let own = (0..2).filter(|&index| is_there[index]);
            own.map(|index| wanted[index].max(least_heights[index])).sum::<f32>()
        };
        let [least, most] = [[0.0; 3], wanted].map(sum_of);
        let room = height - timeline - UPPER_BESIDE_PANES;
        let part = if most > least { ((room - least) / (most - least)).clamp(0.0, 1.0) } else { 1.0 };
        let lower = |index: usize| {
            let least: f32 = least_heights[index];
            if is_there[index] { least + part * (wanted[index].max(least) - least) } else { 0.0 }
        };
        let set = [lower(0), lower(1), timeline].map(f32::round);
        let upper = (height - set.iter().sum::<f32>()).max(LEAST_UPPER_HEIGHT);
        let Some(Tile::Container(Container::Linear(linear))) = self.tree.tiles.get_mut(parent) else { return };
        for id in shown {
            let share = own.iter().position(|own| *own == Some(id)).map_or(upper, |index| set[index]);
            linear.shares.set_share(id, share.max(1.0));
        }
        self.heights = Some(Heights { wanted, set, is_shown: is_there, has_clip });
        self.is_low = is_low;
        let guests = self.guests();
        // A pane that has just lost its own place comes in front of the strips.
        if self.front.is_some_and(|front| !guests.contains(&front)) || (is_low && !was_low && self.front.is_none()) {
            self.front = guests.first().copied();
        }
    }

    pub(crate) fn guests(&self) -> Vec<Pane> {
        let timeline = self.tile(Pane::Timeline).and_then(|tile| self.tree.tiles.parent_of(tile));
        let is_guest = |pane: &Pane| {
            self.tile(*pane).is_some_and(|tile| {
                self.is_low && self.tree.is_visible(tile) && self.tree.tiles.parent_of(tile) == timeline
            })
        };
        GUESTS.into_iter().filter(is_guest).collect()
    }

    pub(crate) fn front(&self) -> Option<Pane> {
        self.front.filter(|front| self.guests().contains(front))
    }

    pub(crate) fn turn_to(&mut self, front: Option<Pane>) {
        self.front = front;
    }

    /// Draws the tree without [`Self::guests`], because the timeline draws the guests.
    pub(crate) fn without_guests(&mut self, draw: impl FnOnce(&mut Tree<Pane>)) {
        let guests: Vec<TileId> = self.guests().into_iter().filter_map(|pane| self.tile(pane)).collect();
        guests.iter().for_each(|&tile| self.tree.set_visible(tile, false));
        draw(&mut self.tree);
        guests.iter().for_each(|&tile| self.tree.set_visible(tile, true));
    }

    pub(crate) fn tile(&self, pane: Pane) -> Option<TileId> {
        self.tree.tiles.find_pane(&pane)
    }

    pub fn is_shown(&self, pane: Pane) -> bool {
        if self.guests().contains(&pane) {
            return self.front == Some(pane);
        }
        self.tile(pane).is_some_and(|tile| self.tree.is_visible(tile) && self.tree.active_tiles().contains(&tile))
    }

    pub(crate) fn is_open(&self, pane: Pane) -> bool {
        self.guests().contains(&pane) || self.tile(pane).is_some_and(|tile| self.tree.is_visible(tile))
    }

    pub fn show(&mut self, pane: Pane) {
        if self.tile(pane).is_none() {
            *self = Self::default();
        }
        if let Some(tile) = self.tile(pane) {
            // The containers above the pane are shown as well, because tabs whose last pane was closed are hidden.
            let mut above = Some(tile);
            while let Some(id) = above {
                self.tree.set_visible(id, true);
                above = self.tree.tiles.parent_of(id);
            }
            self.tree.make_active(|id, _| id == tile);
            if GUESTS.contains(&pane) {
                self.front = Some(pane);
            }
        }
    }

    pub fn hide(&mut self, pane: Pane) {
        let Some(tile) = self.tile(pane).filter(|_| pane != Pane::Picture) else { return };
        self.tree.set_visible(tile, false);
        if self.front == Some(pane) {
            self.front = self.guests().first().copied();
        }
        let parent = self.tree.tiles.parent_of(tile);
        let visible = |id: &TileId| self.tree.tiles.is_visible(*id);
        if let Some(Tile::Container(Container::Tabs(tabs))) = parent.and_then(|parent| self.tree.tiles.get(parent)) {
            let left = tabs.children.iter().copied().find(visible);
            if let (Some(parent), Some(Tile::Container(Container::Tabs(tabs)))) =
                (parent, parent.and_then(|parent| self.tree.tiles.get_mut(parent)))
            {
                tabs.active = left;
                if left.is_none() {
                    self.tree.set_visible(parent, false);
                }
            }
        }
    }

    fn is_whole(&self) -> bool {
        /// Largest number of tiles. Drawing recurses through containers, so a deep tree could overflow the stack.
        const MOST_TILES: usize = 64;
        if self.tree.tiles.len() > MOST_TILES {
            return false;
        }
        let mut panes = Vec::new();
        let mut seen = std::collections::HashSet::new();
        let mut open: Vec<TileId> = self.tree.root().into_iter().collect();
        while let Some(id) = open.pop() {
            // A tile that occurs twice could be its own ancestor.
            if !seen.insert(id) {
                return false;
            }
            match self.tree.tiles.get(id) {
                None => return false,
                Some(Tile::Pane(pane)) => panes.push(*pane),
                // The program creates no grids, and one in a file could have any number of columns.
                Some(Tile::Container(Container::Grid(_))) => return false,
                Some(Tile::Container(container)) => {
                    if let Container::Linear(linear) = container
                        && !linear.shares.iter().all(|(_, share)| (1e-3..1e6).contains(share))
                    {
                        return false;
                    }
                    open.extend(container.children());
                }
            }
        }
        let has_all = panes.len() == Pane::ALL.len() && Pane::ALL.iter().all(|pane| panes.contains(pane));
        // Every tile was seen once. So each has one parent, and the chain of parents ends at the root.
        if !has_all || seen.len() != self.tree.tiles.len() {
            return false;
        }
        let mut above = self.tile(Pane::Picture);
        while let Some(id) = above {
            if !self.tree.is_visible(id) {
                return false;
            }
            above = self.tree.tiles.parent_of(id);
        }
        true
    }

    pub fn load() -> Result<Self, String> {
        let Some(path) = files::configuration("layout.json").filter(|path| files::exists(path)) else {
            return Ok(Self::default());
        };
        let damaged = |what: &str| text::default_layout(&path.display(), &what);
        Self::from_json(&files::read_text(&path, SizeLimit::CONFIGURATION)?).map_err(|error| damaged(&error))
    }

    pub fn from_json(text: &str) -> Result<Self, String> {
        let mut layout: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        layout.heights = layout.heights.filter(Heights::is_usable);
        // The window determines the sizes, so stored sizes are ignored.
        layout.tree.set_width(f32::INFINITY);
        layout.tree.set_height(f32::INFINITY);
        if layout.is_whole() { Ok(layout) } else { Err(text::NO_LAYOUT.to_owned()) }
    }

    pub fn store(&self) {
        if let (Some(path), Ok(text)) = (files::configuration("layout.json"), serde_json::to_vec_pretty(self)) {
            files::store_quietly(&path, &text);
        }
    }
}
