//! Reading of BVH files: layouts that programs write, units, damage, and any bytes.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use crate::common::property::property;
use glam::{EulerRot, Quat, Vec3};
use kinescope_ik::rig::import::{Source, import, import_in_slices, import_in_unit};
use kinescope_ik::rig::{Bone, BvhMotion, LengthUnit, LocalPose, LocalTransform, Model, ModelPose, Skeleton};
use proptest::prelude::*;

fn read(text: impl AsRef<[u8]>) -> Model {
    import("walk.bvh", text.as_ref(), &mut |uri| Err(format!("no {uri}"))).unwrap()
}

fn error(text: impl AsRef<[u8]>) -> String {
    let error = import("walk.bvh", text.as_ref(), &mut |uri| Err(format!("no {uri}"))).unwrap_err().to_string();
    assert!(error.starts_with("walk.bvh: ") && !error.contains('\n'), "{error}");
    error
}

fn pose(model: &Model, time: f32) -> ModelPose {
    let mut local = model.skeleton.rest_pose();
    model.clips[0].sample(time, &mut local);
    ModelPose::from_local(&model.skeleton, &local)
}

fn is_near(a: Vec3, b: Vec3) -> bool {
    a.distance(b) < 1e-5
}

/// Returns a file with a leg of 170 units and a moving root; `order` has the channels of the rotations.
fn leg(order: &str, motion: &str) -> String {
    format!(
        "HIERARCHY
ROOT Left Hip
{{
\tOFFSET 0.0 0.0 0.0
\tCHANNELS 6 Xposition Yposition Zposition {order}
\tJOINT mixamorig:Knee
\t{{
\t\tOFFSET 0 -8.0e1 0
\t\tCHANNELS 3 {order}
\t\tEnd Site
\t\t{{
\t\t\tOFFSET 0 -90 +.0
\t\t}}
\t}}
}}
MOTION
{motion}"
    )
}

const ZXY: &str = "Zrotation Xrotation Yrotation";
const TWO_FRAMES: &str = "Frames: 2\nFrame Time: 0.04\n1 170 2 10 20 30 0 40 0\n1 170 3 0 0 0 90 0 0\n";

#[test]
fn a_file_is_its_offsets_and_rotations() {
    let plain = leg(ZXY, TWO_FRAMES);
    for text in [plain.clone(), plain.replace('\n', "\r\n"), plain.replace('\n', "\r"), format!("\u{feff}\n {plain}")] {
        let model = read(&text);
        let names: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
        assert_eq!(names, ["Left Hip", "mixamorig:Knee", "mixamorig:Knee_end"]);
        assert_eq!(model.unit, Some(LengthUnit::Centimetres));
        assert_eq!(
            model.notes,
            [
                "the skeleton measures 170.0: read as centimetres (1.70 m)",
                "the rest pose is raised by 1.70 m to stand on the ground"
            ]
        );
        let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
        assert!(is_near(rest.position(0), Vec3::Y * 1.7) && is_near(rest.position(2), Vec3::ZERO));
        assert!((model.clips[0].duration - 0.04).abs() < 1e-6);

        let [first, second] = [pose(&model, 0.0), pose(&model, 0.04)];
        let turn =
            |z: f32, x: f32, y: f32| Quat::from_euler(EulerRot::ZXY, z.to_radians(), x.to_radians(), y.to_radians());
        let knee = Vec3::new(0.01, 1.7, 0.02) + turn(10.0, 20.0, 30.0) * (Vec3::NEG_Y * 0.8);
        assert!(is_near(first.position(1), knee));
        let end = knee + turn(10.0, 20.0, 30.0) * turn(0.0, 40.0, 0.0) * (Vec3::NEG_Y * 0.9);
        assert!(is_near(first.position(2), end));
        // The knee is turned around z: the shin points along +x.
        assert!(is_near(second.position(2), Vec3::new(0.01 + 0.9, 0.9, 0.03)), "{}", second.position(2));
    }
}

#[test]
fn rotations_follow_the_order_of_their_channels() {
    use EulerRot::{XYZ, XZY, YXZ, YZX, ZXY, ZYX};
    for (order, letters) in [(XYZ, "XYZ"), (XZY, "XZY"), (YXZ, "YXZ"), (YZX, "YZX"), (ZXY, "ZXY"), (ZYX, "ZYX")] {
        let channels: Vec<String> = letters.chars().map(|axis| format!("{axis}rotation")).collect();
        let text = leg(&channels.join(" "), "Frames: 1\nFrame Time: 0.1\n0 0 0 100 -70 30 0 0 0\n");
        let like = Quat::from_euler(order, 100f32.to_radians(), -(70f32.to_radians()), 30f32.to_radians());
        let found = pose(&read(text), 0.0).bones[0].rotation;
        assert!(found.angle_between(like) < 1e-3, "{letters}: {found} instead of {like}");
    }
    let one = read(leg("Yrotation", "Frames: 1\nFrame Time: 0.1\n0 0 0 50 20\n"));
    assert!(pose(&one, 0.0).bones[1].rotation.angle_between(Quat::from_rotation_y(70f32.to_radians())) < 1e-3);
}

#[test]
fn the_unit_is_guessed_from_the_height_and_can_be_chosen() {
    let scaled = |factor: f64| {
        let text = leg(ZXY, TWO_FRAMES);
        text.replace("-8.0e1", &format!("{}", -80.0 * factor)).replace("-90", &format!("{}", -90.0 * factor))
    };
    for (unit, factor) in [
        (LengthUnit::Centimetres, 1.0),
        (LengthUnit::Metres, 0.01),
        (LengthUnit::Millimetres, 10.0),
        (LengthUnit::Inches, 1.0 / 2.54),
        (LengthUnit::Cmu, 0.45 / 2.54),
    ] {
        for size in [0.8, 1.0, 1.2] {
            let model = read(scaled(factor * size));
            assert_eq!(model.unit, Some(unit), "{size}");
            let rest = ModelPose::from_local(&model.skeleton, &model.skeleton.rest_pose());
            assert!((rest.position(0).y - 1.7 * size as f32).abs() < 1e-3);
            assert!(model.notes[0].contains(unit.name()), "{:?}", model.notes);
        }
    }
    let dog = read(scaled(0.07));
    assert!(dog.notes[0].contains("not the height of a person") && dog.notes[0].contains("choose another unit"));
    // 103 inches would be 2.62 m.
    for height in [102.5, 103.0, 106.0] {
        let child = read(scaled(height / 170.0));
        let note = format!("the skeleton measures {height:.1}: read as centimetres ({:.2} m)", height / 100.0);
        assert_eq!((child.unit, &child.notes[0]), (Some(LengthUnit::Centimetres), &note));
    }
    let text = scaled(0.07);
    let mut none = |uri: &str| Err(format!("no {uri}"));
    let chosen = import_in_unit("dog.bvh", text.as_bytes(), Some(LengthUnit::Centimetres), &mut none).unwrap();
    assert!((chosen.skeleton.bones()[0].rest.translation.y - 0.119).abs() < 1e-5);
    assert_eq!(chosen.unit, Some(LengthUnit::Centimetres));
    for unit in LengthUnit::ALL {
        assert_eq!(LengthUnit::from_key(unit.key()), Some(unit));
    }
}

#[test]
fn positions_of_inner_joints_replace_their_offsets_or_add_to_them() {
    let inner = |y: f32| {
        let text = "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Xposition Yposition Zposition
            JOINT b { OFFSET 0 170 0 CHANNELS 6 Zrotation Xrotation Yrotation Xposition Yposition Zposition End Site { OFFSET 0 1 0 } } }
            MOTION\nFrames: 1\nFrame Time: 0.1\n";
        read(format!("{text}5 6 7 0 0 0 1 {y} 0\n"))
    };
    let (replaced, added) = (inner(165.0), inner(-5.0));
    assert!(is_near(pose(&replaced, 0.0).position(1), Vec3::new(0.06, 1.71, 0.07)));
    assert!(is_near(pose(&added, 0.0).position(1), Vec3::new(0.06, 1.71, 0.07)));
    assert!(added.notes.iter().any(|note| note.contains("added to the joints' offsets")), "{:?}", added.notes);
}

#[test]
fn several_roots_and_repeated_names() {
    let root = "ROOT a\n{\nOFFSET 0 100 0\nCHANNELS 1 Yposition\nJOINT a\n{\nOFFSET 0 170 0\n}\nJOINT\n{\nOFFSET 0 1 0\n}\n}\n";
    let model = read(format!("HIERARCHY\n{root}{root}MOTION\nFrames: 1\nFrame Time: 1\n100 110\n"));
    let parents: Vec<Option<usize>> = model.skeleton.bones().iter().map(|bone| bone.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), None, Some(3), Some(3)]);
    let mut names: Vec<&str> = model.skeleton.bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!((names[0], names[2]), ("a", "node 2"));
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 6);
    assert!(is_near(pose(&model, 0.0).position(3), Vec3::Y * 1.1));
}

#[test]
fn irregular_motions_are_read_with_a_note() {
    let case = |motion: &str, frames: usize, note: &str| {
        let model = read(leg(ZXY, motion));
        let keys = model.clips.first().map_or(0, |clip| clip.tracks[0].times.len());
        assert_eq!(keys, frames, "{motion}");
        assert!(model.notes.iter().any(|own| own.contains(note)), "{motion}: {:?}", model.notes);
    };
    let row = "0 170 0 1 2 3 4 5 6\n";
    case(&format!("Frames: 3\nFrame Time: 0.1\n{row}{row}"), 2, "announces 3 frames and has 2");
    case(&format!("Frames: 1\nFrame Time: 0.1\n{row}{row}"), 2, "announces 1 frames and has 2");
    case(&format!("Frames: 99999999999999999999\nFrame Time: 0.1\n{row}"), 1, "and has 1");
    case(&format!("Frames: -1\nFrame Time: 0.1\n{row}"), 1, "and has 1");
    case(&format!("Frame Time: 0.1\n{row}"), 1, "does not state");
    for absurd in ["0", "-0.1", "1e9", "nan", "inf", "x"] {
        case(&format!("Frames: 1\nFrame Time: {absurd}\n{row}"), 1, "30 frames per second");
    }
    case(&format!("Frames: 1\n{row}"), 1, "no frame time");
    case(&format!("Frames: 2\nFrame Time: 0.1\n{row}1 2 3"), 1, "has 3 of 9 numbers");
    case("Frames: 1\nFrame Time: 0.1\n0 170 0\n1 2 3\n4 5 6\n", 1, "170.0");
    for bad in ["nan", "-NaN(ind)", "1.#QNAN", "inf", "1e60"] {
        case(&format!("Frames: 2\nFrame Time: 0.1\n{row}{}", row.replace('2', bad)), 2, "; 1 in all");
    }
    case("Frames: 0\nFrame Time: 0.1\n", 0, "170.0");
    case("", 0, "no frame time");
    let without = leg(ZXY, "");
    let model = read(without.split("MOTION").next().unwrap());
    assert!(model.clips.is_empty() && model.notes.iter().any(|note| note.contains("no MOTION")));
    let still = read(leg(ZXY, &"Frames: 3\nFrame Time: 0.5\n_\n_\n_\n".replace('_', "0 170 0 0 0 0 0 0 0")));
    assert_eq!(still.clips[0].duration, 1.0);
}

#[test]
fn a_long_motion_is_read_in_slices_and_can_be_cancelled() {
    let frame = |index: usize| format!("{} 170 2 10 20 {} 0 40 0\n", index % 7, index % 90);
    let frames: String = (0..20_000).map(frame).collect();
    let text = leg(ZXY, &format!("Frames: 20000\nFrame Time: 0.01\n{frames}"));
    let read_in_slices = |progress: &mut dyn FnMut(f32) -> bool| {
        let mut read_buffer = |uri: &str| Err(uri.to_owned());
        let mut work = pin!(import_in_slices("walk.bvh", text.as_bytes(), None, &mut read_buffer, progress));
        let mut context = Context::from_waker(Waker::noop());
        let mut slices = 1;
        loop {
            match work.as_mut().poll(&mut context) {
                Poll::Ready(model) => return (slices, model),
                Poll::Pending => slices += 1,
            }
        }
    };
    let mut seen = Vec::new();
    let (slices, model) = read_in_slices(&mut |done| {
        seen.push(done);
        true
    });
    assert!(slices >= 20 && seen.len() >= 20, "{slices} {}", seen.len());
    assert!(seen.is_sorted() && seen.iter().all(|done| (0.0..=1.0).contains(done)), "{seen:?}");
    assert_eq!(model.unwrap().clips, read(&text).clips);
    let mut count = 0;
    let (_, cancelled) = read_in_slices(&mut |_| {
        count += 1;
        count < 5
    });
    assert!(count == 5 && cancelled.unwrap_err().to_string().contains("cancelled"), "{count}");
}

#[test]
fn damage_is_an_error_with_its_line() {
    let good = leg(ZXY, TWO_FRAMES);
    let broken = |from: &str, to: &str, words: &[&str]| {
        assert!(good.contains(from), "{from}");
        let error = error(good.replacen(from, to, 1));
        assert!(words.iter().all(|word| error.contains(word)), "{from} → {to}: {error}");
    };
    broken("ROOT", "ROOF", &["line 2", "ROOF"]);
    broken("{", "", &["line 4", "{ is missing"]);
    broken("}", "", &["not closed"]);
    broken("}\n}\n", "}\n}\n}\n", &["closes no joint"]);
    broken("OFFSET 0 -8.0e1 0", "OFFSET 0 nan 0", &["line 8", "three numbers"]);
    broken("OFFSET 0 -8.0e1 0", "OFFSET 0 1e12 0", &["line 8", "1e9"]);
    broken("CHANNELS 3", "CHANNELS 4000000000", &["line 9", "CHANNELS"]);
    broken("CHANNELS 3", "CHANNELS -1", &["line 9", "CHANNELS"]);
    broken("10 20 30", "10 2O 30", &["line 19", "\"2O\""]);
    broken("10 20 30", "10 20", &["line 20", "frame before"]);
    broken("0 0 0 90", "0 0 0 0 90", &["line 20", "9 numbers"]);
    for end in 10..good.find("MOTION").unwrap() - 3 {
        assert!(error(&good[..end]).contains("line "), "{end}");
    }
    assert!(error("HIERARCHY\nMOTION\n").contains("no ROOT"));
}

#[test]
fn deep_and_wide_hierarchies_are_limited() {
    let deep = |count: usize| {
        let joint =
            |at: usize| format!("{} j{at} {{ OFFSET 0 1 0 CHANNELS 1 Xrotation\n", ["ROOT", "JOINT"][at.min(1)]);
        let open: String = (0..count).map(joint).collect();
        let row = "0 ".repeat(count);
        format!("HIERARCHY\n{open}{}\nMOTION\nFrames: 1\nFrame Time: 0.1\n{row}\n", "}".repeat(count))
    };
    assert_eq!(read(deep(4096)).skeleton.len(), 4096);
    assert!(error(deep(4097)).contains("more than 4096"));
    assert!(error("HIERARCHY ROOT a ".to_owned() + &"{".repeat(100_000)).contains("line 1"));
}

/// Asserts that bytes are refused in one line with the file's name, or import with finite poses and give a .glb file
/// that imports as the same bones and clips.
fn check(bytes: &[u8]) {
    let mut none = |uri: &str| Err(format!("no {uri}"));
    match import("walk.bvh", bytes, &mut none) {
        Err(error) => assert!(error.to_string().starts_with("walk.bvh") && !error.to_string().contains('\n')),
        Ok(model) => {
            let mut local: LocalPose = model.skeleton.rest_pose();
            for clip in &model.clips {
                clip.sample(clip.duration / 2.0, &mut local);
            }
            let is_finite = |bone: &kinescope_ik::rig::RigidTransform| bone.is_finite();
            assert!(ModelPose::from_local(&model.skeleton, &local).bones.iter().all(is_finite));
            let (written, _) = Source::read("walk.bvh", bytes, &mut none).unwrap().to_glb().unwrap();
            let again = import("walk.glb", &written, &mut none).unwrap();
            assert_eq!((again.skeleton, again.clips), (model.skeleton, model.clips));
        }
    }
}

property! {
    #[test]
    fn any_words_are_read_or_refused(words in prop::collection::vec(prop::sample::select(vec![
        "HIERARCHY", "ROOT", "JOINT", "End", "Site", "{", "}", "{", "}", "OFFSET", "OFFSET 1 2 3", "OFFSET 0 1e9 0", "CHANNELS",
        "CHANNELS 3 Xposition Yposition Zposition", "CHANNELS 2 Zrotation Wrotation", "CHANNELS 0", "MOTION", "Frames: 2\n",
        "Frame Time: 0.1\n", "Frame", "1", "-1e38", "1e39", "nan", "\n", "\r", "name", "Xrotation", "ROOT a { OFFSET 0 1 0 CHANNELS 1 Xrotation",
        "JOINT b { OFFSET 0 1 0 }",
    ]), 0..60)) {
        check(format!("HIERARCHY {}", words.join(" ")).as_bytes());
    }

    #[test]
    fn any_damage_is_read_or_refused(changes in prop::collection::vec((0usize..1000, any::<u8>()), 1..6), cut in 10usize..1000) {
        let mut bytes = leg(ZXY, TWO_FRAMES).into_bytes();
        for (at, byte) in changes {
            let at = at % bytes.len();
            bytes[at] = byte;
        }
        bytes.truncate(cut);
        check(&bytes);
    }
}

fn unit() -> impl Strategy<Value = f32> {
    -1.0f32..1.0
}

/// Returns bones: a number that selects the parent; translation and quaternion (to be normalized) at rest and in two
/// frames; and whether the bone moves in its parent.
fn bones() -> impl Strategy<Value = Vec<(usize, [[f32; 7]; 3], bool)>> {
    let transform = prop::array::uniform7(unit());
    prop::collection::vec((any::<usize>(), prop::array::uniform3(transform), any::<bool>()), 1..20)
}

fn transform([x, y, z, a, b, c, d]: [f32; 7], scale: f32) -> LocalTransform {
    let rotation = Quat::from_xyzw(a, b, c, d);
    let rotation = if rotation.length_squared() > 1e-3 { rotation.normalize() } else { Quat::IDENTITY };
    LocalTransform { translation: Vec3::new(x, y, z), rotation, scale: Vec3::splat(scale) }
}

property! {
    /// Skeletons with rotations and a scaled root at rest, several roots, and bones that move in their parents.
    #[test]
    fn a_written_motion_reads_back(bones in bones(), scale in 0.5f32..2.0) {
        let rest = |index: usize| transform(bones[index].1[0], if index == 0 { scale } else { 1.0 });
        let of_bone = |index: usize| Bone {
            name: format!("bone {index}"),
            // The second or third bone is sometimes another root.
            parent: (index > 0 && !(index < 3 && bones[index].0.is_multiple_of(3))).then(|| bones[index].0 % index),
            rest: rest(index),
        };
        let skeleton = Skeleton::new((0..bones.len()).map(of_bone).collect()).unwrap();
        let frame = |frame: usize| {
            let local = |index: usize| {
                let moved = transform(bones[index].1[frame], rest(index).scale.x);
                if bones[index].2 { moved } else { LocalTransform { translation: rest(index).translation, ..moved } }
            };
            LocalPose { bones: (0..bones.len()).map(local).collect() }
        };
        let reference = ModelPose::from_local(&skeleton, &skeleton.rest_pose());
        let frames = [frame(1), frame(2), frame(1)];
        let motion = BvhMotion { skeleton: &skeleton, reference: &reference, frames: &frames, frame_time: 0.05, centimetres: 100.0 };
        let (text, _) = motion.write();
        let mut none = |uri: &str| Err(format!("no {uri}"));
        let read = import_in_unit("walk.bvh", text.as_bytes(), Some(LengthUnit::Centimetres), &mut none).unwrap();
        for (at, local) in frames.iter().enumerate() {
            let (found, like) = (pose(&read, at as f32 * 0.05), ModelPose::from_local(&skeleton, local));
            for (index, bone) in skeleton.bones().iter().enumerate() {
                let own = read.skeleton.find(&bone.name).unwrap();
                let off = found.position(own).distance(like.position(index));
                prop_assert!(off < 1e-4, "{} is {off} m off in frame {at}: {text}", bone.name);
                let turn = like.bones[index].rotation * reference.bones[index].rotation.conjugate();
                let off = turn.as_dquat().normalize().conjugate() * found.bones[own].rotation.as_dquat().normalize();
                let degrees = 2.0 * off.xyz().length().min(1.0).asin().to_degrees();
                prop_assert!(degrees < 0.01, "{} is turned by {degrees}° in frame {at}", bone.name);
            }
        }
    }
}
