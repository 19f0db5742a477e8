use egui_macroquad::egui::{Pos2, Rect, Vec2, pos2, vec2};
use proptest::prelude::*;

use kinescope::picture::labels::{
    ANCHOR, Density, Label, Memory, Obstacles, Placed, RETURN, Rank, Room, at, crosses, place,
};

const PICTURE: Rect = Rect { min: pos2(230.0, 60.0), max: pos2(1040.0, 660.0) };
const CAPTION: Rect = Rect { min: pos2(230.0, 60.0), max: pos2(590.0, 160.0) };

fn label(key: u64, rank: Rank, anchor: Pos2, size: Vec2) -> Label {
    Label { key, sizes: vec![size], anchor, clear: 8.0, apart: 0.0, toward: Vec2::ZERO, rank }
}

fn pos() -> impl Strategy<Value = Pos2> {
    (230.0f32..1040.0, 60.0f32..660.0).prop_map(|(x, y)| pos2(x, y))
}

fn labels() -> impl Strategy<Value = Vec<Label>> {
    const RANKS: &[Rank] = &[Rank::Pointer, Rank::Tag, Rank::Callout, Rank::Study, Rank::Other];
    let one = (pos(), 30.0f32..260.0, 16.0f32..70.0, prop::sample::select(RANKS), 0.0f32..60.0, 0.0f32..6.3);
    prop::collection::vec(one, 0..24).prop_map(|all| {
        let made = all.into_iter().enumerate().map(|(key, (anchor, width, height, rank, clear, turn))| Label {
            clear,
            toward: Vec2::angled(turn),
            ..label(key as u64, rank, anchor, vec2(width, height))
        });
        made.collect()
    })
}

fn obstacles() -> impl Strategy<Value = Obstacles> {
    let discs = prop::collection::vec((pos(), 4.0f32..18.0), 0..30);
    let segments = prop::collection::vec([pos(), pos()], 0..3);
    (discs, segments, prop::collection::vec(pos(), 0..80)).prop_map(|(discs, segments, drawn)| Obstacles {
        picture: PICTURE,
        rects: vec![CAPTION],
        discs,
        segments,
        drawn,
    })
}

fn is_well_placed(labels: &[Label], obstacles: &Obstacles, placed: &[Placed]) -> Result<(), TestCaseError> {
    for (index, own) in placed.iter().enumerate() {
        let rect = own.rect;
        prop_assert!(PICTURE.contains_rect(rect), "{rect:?} leaves the picture");
        prop_assert!(!rect.intersects(CAPTION), "{rect:?} is under the caption");
        let is_under = CAPTION.contains(labels[own.label].anchor);
        prop_assert!(is_under || !crosses(&own.leader, CAPTION), "a leader line runs under the caption");
        for &(at, radius) in &obstacles.discs {
            prop_assert!(rect.distance_to_pos(at) >= radius, "{rect:?} covers a joint at {at:?}");
        }
        for segment in &obstacles.segments {
            prop_assert!(!crosses(segment, rect), "{rect:?} covers the limb under study");
        }
        for other in &placed[index + 1..] {
            prop_assert!(!rect.intersects(other.rect), "{rect:?} {:?}", other.rect);
            prop_assert!(!crosses(&own.leader, other.rect) && !crosses(&other.leader, rect));
        }
        for (other, label) in labels.iter().enumerate() {
            let least = if other == own.label { label.clear } else { ANCHOR };
            prop_assert!(rect.distance_to_pos(label.anchor) >= least, "{rect:?} covers what another is about");
        }
        prop_assert!(rect.distance_to_pos(own.leader[1]) < 0.01);
        prop_assert!((own.leader[0].distance(labels[own.label].anchor) - labels[own.label].clear).abs() < 0.01);
    }
    Ok(())
}

proptest! {
    #[test]
    fn labels_keep_off_everything_and_the_same_input_has_the_same_places(
        labels in labels(), obstacles in obstacles(),
    ) {
        let mut memory = Memory::default();
        let placed = place(&labels, &obstacles, &mut memory);
        is_well_placed(&labels, &obstacles, &placed)?;
        prop_assert_eq!(&place(&labels, &obstacles, &mut Memory::default()), &placed);
        let before = memory.clone();
        prop_assert_eq!(&place(&labels, &obstacles, &mut memory), &placed);
        prop_assert_eq!(&memory, &before);
    }

    #[test]
    fn a_label_keeps_its_side_while_that_place_is_free(
        labels in labels(), obstacles in obstacles(),
        moves in prop::collection::vec((-4.0f32..4.0, -4.0f32..4.0), 24),
    ) {
        let mut memory = Memory::default();
        place(&labels, &obstacles, &mut memory);
        let before = memory.clone();
        let mut moved = labels.clone();
        for (label, by) in moved.iter_mut().zip(moves) {
            label.anchor += vec2(by.0, by.1);
        }
        let placed = place(&moved, &obstacles, &mut memory);
        is_well_placed(&moved, &obstacles, &placed)?;
        for (index, label) in moved.iter().enumerate() {
            let Some(Some(slot)) = before.0.get(&label.key).copied() else { continue };
            let earlier: Vec<Placed> =
                placed.iter().take_while(|other| other.label != index).copied().filter(|other| {
                    (moved[other.label].rank, other.label) < (label.rank, index)
                }).collect();
            let room = Room { labels: &moved, obstacles: &obstacles, placed: &earlier, own: index };
            if room.is_free(&at(label, slot), 0.0) {
                prop_assert_eq!(memory.0[&label.key], Some(slot), "label {} changes sides", index);
            }
        }
    }
}

#[test]
fn where_there_is_no_room_the_least_important_is_dropped() {
    let picture = Rect::from_min_size(pos2(0.0, 0.0), vec2(240.0, 90.0));
    let obstacles = Obstacles { picture, rects: vec![], discs: vec![], segments: vec![], drawn: vec![] };
    let ranks = [Rank::Other, Rank::Study, Rank::Callout, Rank::Other, Rank::Pointer, Rank::Other];
    let labels: Vec<Label> = ranks
        .into_iter()
        .enumerate()
        .map(|(key, rank)| label(key as u64, rank, pos2(60.0 + 24.0 * key as f32, 45.0), vec2(90.0, 30.0)))
        .collect();
    let placed = place(&labels, &obstacles, &mut Memory::default());
    assert!(!placed.is_empty() && placed.len() < labels.len(), "{placed:?}");
    let shown: Vec<Rank> = placed.iter().map(|own| labels[own.label].rank).collect();
    assert_eq!(shown[0], Rank::Pointer);
    assert!(shown.contains(&Rank::Callout), "{shown:?}");
}

#[test]
fn a_label_that_had_no_room_comes_back_only_with_some_to_spare() {
    let labels = [label(1, Rank::Other, pos2(50.0, 20.0), vec2(80.0, 20.0))];
    let shows = |bottom: f32, memory: &mut Memory| {
        let picture = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 300.0));
        let below = Rect::from_min_max(pos2(0.0, bottom), pos2(100.0, 300.0));
        let obstacles = Obstacles { picture, rects: vec![below], discs: vec![], segments: vec![], drawn: vec![] };
        !place(&labels, &obstacles, memory).is_empty()
    };
    let just_enough = (30..120).find(|&bottom| shows(bottom as f32, &mut Memory::default())).unwrap();
    let mut memory = Memory::default();
    assert!(!shows(just_enough as f32 - 1.0, &mut memory));
    let back = (just_enough..120).find(|&bottom| shows(bottom as f32, &mut memory)).unwrap();
    assert_eq!((back - just_enough) as f32, RETURN);
    assert!(shows(just_enough as f32, &mut memory));
}

/// In a lane of 100 pixels, the long form has no room beside its mark, but the shorter forms have.
#[test]
fn a_label_without_room_takes_its_next_shorter_form_and_the_longer_one_returns_with_room_to_spare() {
    let own = label(1, Rank::Tag, pos2(50.0, 20.0), vec2(80.0, 60.0));
    let labels = [Label { sizes: vec![vec2(80.0, 60.0), vec2(40.0, 20.0), vec2(10.0, 14.0)], ..own }];
    let form_at = |bottom: f32, memory: &mut Memory| {
        let picture = Rect::from_min_size(pos2(0.0, 0.0), vec2(100.0, 300.0));
        let below = Rect::from_min_max(pos2(0.0, bottom), pos2(100.0, 300.0));
        let obstacles = Obstacles { picture, rects: vec![below], discs: vec![], segments: vec![], drawn: vec![] };
        place(&labels, &obstacles, memory).first().map(|placed| (placed.form, placed.rect.size()))
    };
    let first = |form: usize| {
        let is_at = |bottom: &i32| form_at(*bottom as f32, &mut Memory::default()).map(|own| own.0) == Some(form);
        (20..200).find(is_at).unwrap() as f32
    };
    let [long, middle, short] = [0, 1, 2].map(first);
    assert!(short < middle && middle < long, "{short} {middle} {long}");
    assert_eq!(form_at(long, &mut Memory::default()), Some((0, vec2(80.0, 60.0))));
    assert_eq!(form_at(middle, &mut Memory::default()), Some((1, vec2(40.0, 20.0))));
    assert_eq!(form_at(8.0, &mut Memory::default()), None, "lower than the shortest form");
    let mut memory = Memory::default();
    assert_eq!(form_at(long - 1.0, &mut memory).map(|own| own.0), Some(1));
    assert_eq!(form_at(long + 1.0, &mut memory).map(|own| own.0), Some(1), "no flicker");
    assert_eq!(form_at(long + RETURN, &mut memory).map(|own| own.0), Some(0));
    assert_eq!(form_at(long, &mut memory).map(|own| own.0), Some(0));
}

#[test]
fn densities() {
    for rank in [Rank::Pointer, Rank::Tag, Rank::Callout, Rank::Study, Rank::Other] {
        let always = rank <= Rank::Tag;
        assert_eq!([false, true].map(|is_selected| Density::Off.shows(rank, is_selected)), [always; 2]);
        assert_eq!([false, true].map(|is_selected| Density::Selected.shows(rank, is_selected)), [always, true]);
        assert_eq!([false, true].map(|is_selected| Density::All.shows(rank, is_selected)), [true; 2]);
    }
}
