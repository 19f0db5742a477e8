//! Version 2 of recordings: characters join and leave, ambiguous lines are refused, and refusals are in plain words.

use kinescope_ik::Trace;
use kinescope_ik::full_body::Settings;
use kinescope_ik::game_recording::{GameCharacter, Header, Line, MOST_LINE, Reader, Refusal, Skimmed, Writer};
use kinescope_ik::rig::{Bone, Skeleton};
use serde_json::{Value, json};

use crate::common::built_in::built_in;
use crate::common::game::{character, header, solved};

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn join(character: &GameCharacter) -> String {
    let empty = Header { producer: String::new(), characters: Vec::new() };
    Writer::new(&empty).0.join(character).unwrap().1
}

fn with_player() -> Reader {
    let header = Header { producer: "a test".to_owned(), characters: vec![character("player")] };
    let mut reader = Reader::new();
    assert_eq!(reader.read(&Writer::new(&header).1), Ok(None));
    reader
}

fn refused(reader: &mut Reader, line: &str) -> String {
    reader.read(line).unwrap_err().to_string()
}

fn name(reader: &Reader, index: usize) -> Option<&str> {
    reader.character(index).map(|own| own.name.as_str())
}

fn with_bones(name: &str, count: usize) -> GameCharacter {
    let mut own = character(name);
    let mut bones = own.skeleton.bones().to_vec();
    for index in bones.len()..count {
        bones.push(Bone { name: format!("more {index}"), parent: Some(0), ..bones[0].clone() });
        own.reference.push(own.reference[0]);
    }
    GameCharacter { skeleton: Skeleton::new(bones).unwrap(), ..own }
}

#[test]
fn characters_join_and_leave_anywhere() {
    let (mut writer, first) = Writer::new(&Header { producer: "a test".to_owned(), characters: Vec::new() });
    assert!(first.contains("\"version\":2") && first.contains("\"characters\":[]"), "{first}");
    let mut reader = Reader::new();
    reader.read(&first).unwrap();
    let mut skimmer = reader.clone();
    let mut both = |line: &str| {
        let read = reader.read(line).unwrap().unwrap();
        let skimmed = skimmer.skim(line).unwrap().unwrap();
        match (&read, &skimmed) {
            (Line::Frame(frame), Skimmed::Frame(outline)) => {
                assert_eq!((frame.character, frame.frame), (outline.character, outline.frame));
                let own = skimmer.character(frame.character).unwrap();
                assert_eq!(own.frame(line, outline, &frame.parameters).unwrap(), **frame);
            }
            (Line::Join(a), Skimmed::Join(b)) | (Line::Leave(a), Skimmed::Leave(b)) => assert_eq!(a, b),
            other => panic!("{other:?}"),
        }
        (read, reader.clone())
    };
    let mut asked = Settings::default();
    asked.chains[0].pull = 0.3;
    for (index, own) in ["player", "guard", "enemy"].map(character).iter().enumerate() {
        let (joined, line) = writer.join(own).unwrap();
        assert!(line.starts_with("{\"join\":{\"name\":") && line.contains("\"biped\":{\"pelvis\":"), "{line}");
        let (read, reader) = both(&line);
        assert_eq!((joined, read), (index, Line::Join(index)));
        let back = reader.character(index).unwrap();
        assert_eq!((&back.name, &back.biped, &back.reference), (&own.name, &own.biped, &own.reference));
    }
    let frame = solved(1, 7, asked);
    assert_eq!(both(&writer.frame(&frame).unwrap()).0, Line::Frame(Box::new(frame.clone())));
    // The guard leaves and comes back with another rig, at the index that it freed, with default parameters.
    let (left, reader) = both(&writer.leave(1).unwrap());
    assert_eq!((left, name(&reader, 1)), (Line::Leave(1), None));
    assert_eq!((writer.leave(1), writer.frame(&frame)), (None, None));
    let other = with_bones("guard", built_in().model.skeleton.len() + 1);
    let (joined, line) = writer.join(&other).unwrap();
    let (read, reader) = both(&line);
    assert_eq!((joined, read), (1, Line::Join(1)));
    assert_eq!(reader.character(1).unwrap().skeleton.len(), other.skeleton.len());
    // The guard's time may begin again at 0.
    let pose = vec![[0, 0, 0, 0, 0, 0, 1]; other.skeleton.len()];
    let line = json!({ "character": "guard", "time": 0.0, "animated": pose }).to_string();
    let (Line::Frame(back), _) = both(&line) else { panic!("no frame") };
    assert_eq!((back.character, back.frame, back.parameters), (1, 0, Settings::default()));
    let frame = solved(0, 0, asked);
    assert_eq!(both(&writer.frame(&frame).unwrap()).0, Line::Frame(Box::new(frame)));
}

#[test]
fn joins_are_checked() {
    let mut reader = with_player();
    assert_eq!(
        refused(&mut reader, &join(&character("player"))),
        "line 2, join.name: is \"player\", the name of a character that is present; it must leave first"
    );
    let nobody = refused(&mut reader, r#"{"leave":"guard"}"#);
    assert_eq!(nobody, "line 3, leave: is \"guard\"; no character of this name is present");
    let mut line = value(&join(&character("guard")));
    line["join"]["rig"]["biped"] = line["join"]["biped"].clone();
    assert_eq!(
        refused(&mut reader, &line.to_string()),
        "line 4, join.biped: is given beside `rig` and within `rig`; remove one of the two"
    );
    // The roles may also be within the rig, as in a header, or omitted.
    line["join"].as_object_mut().unwrap().remove("biped");
    assert_eq!(reader.read(&line.to_string()), Ok(Some(Line::Join(1))));
    line["join"]["rig"].as_object_mut().unwrap().remove("biped");
    line["join"]["name"] = "detected".into();
    assert_eq!(reader.read(&line.to_string()), Ok(Some(Line::Join(2))));
    assert_eq!(reader.character(2).unwrap().biped, *built_in().biped());
    line["join"]["name"] = "wrong".into();
    line["join"]["biped"] = json!({ "pelvis": 1000 });
    let found = refused(&mut reader, &line.to_string());
    assert!(found.starts_with("line 7, join.biped.spine") && found.contains("is missing"), "{found}");
    line["join"]["biped"] = value(&join(&character("x")))["join"]["biped"].clone();
    line["join"]["biped"]["left_hand"] = 1000.into();
    let found = refused(&mut reader, &line.to_string());
    assert!(found.starts_with("line 8, join.biped.left_hand: is 1000; there are"), "{found}");
}

#[test]
fn version_1_is_read_without_joins() {
    let mut old = Reader::new();
    let (mut writer, first) = Writer::new(&header());
    assert_eq!(old.read(&first.replace("\"version\":2", "\"version\":1")), Ok(None));
    for line in [join(&character("enemy")), r#"{"leave":"guard"}"#.to_owned()] {
        let found = refused(&mut old, &line);
        assert!(found.contains("is not in version 1 of the format"), "{found}");
    }
    assert_eq!((name(&old, 1), name(&old, 2)), (Some("guard"), None));
    let frame = solved(1, 7, Settings::default());
    assert_eq!(old.read(&writer.frame(&frame).unwrap()), Ok(Some(Line::Frame(Box::new(frame)))));
}

#[test]
fn the_limits_hold_for_characters_that_join() {
    let mut reader = with_player();
    let line = join(&character("NAME"));
    for index in 1..256 {
        let joined = reader.read(&line.replace("NAME", &format!("enemy {index}")));
        assert_eq!(joined, Ok(Some(Line::Join(index))));
    }
    let one_more = refused(&mut reader, &line);
    assert_eq!(one_more, "line 257, join: has 257 characters at a time; at most 256 are allowed");
    // A character that leaves makes room.
    assert_eq!(reader.read(r#"{"leave":"enemy 99"}"#), Ok(Some(Line::Leave(99))));
    assert_eq!(reader.read(&line), Ok(Some(Line::Join(99))));

    let mut reader = with_player();
    let mut writer = Writer::new(&Header { producer: String::new(), characters: Vec::new() }).0;
    let larger = writer.join(&with_bones("larger", 4097)).unwrap_err().to_string();
    assert!(larger.starts_with("rig.bones: has 4097 bones"), "{larger}");
    let large = join(&with_bones("large", 4096));
    assert_eq!(reader.read(&large), Ok(Some(Line::Join(1))));
    let mut line = value(&large);
    let bones = line["join"]["rig"]["bones"].as_array_mut().unwrap();
    bones.push(bones[1].clone());
    line["join"]["name"] = "larger".into();
    let found = refused(&mut reader, &line.to_string());
    assert_eq!(found, "line 3, join.rig.bones: has 4097 bones; at most 4096 are allowed");
    let long = format!(r#"{{"leave":"{}"}}"#, "x".repeat(MOST_LINE));
    assert!(refused(&mut reader, &long).contains("a line has 16777216 at most"));
}

#[test]
fn lines_with_two_meanings_are_errors() {
    let mut writer = Writer::new(&header()).0;
    let frame = writer.frame(&solved(0, 3, Settings::default())).unwrap();
    let with = |fields: &str| frame.replacen('{', &format!("{{{fields},"), 1);
    let joins = join(&character("enemy"));
    let inner =
        |name: &str, field: &str| frame.replacen(&format!("\"{name}\":{{"), &format!("\"{name}\":{{{field},"), 1);
    let mut steps = value(&frame);
    let again = steps["steps"][2].clone();
    steps["steps"].as_array_mut().unwrap().push(again);
    let last = steps["steps"].as_array().unwrap().len() - 1;
    let mut writes = value(&frame);
    let again = writes["writes"][1].clone();
    writes["writes"].as_array_mut().unwrap().insert(0, again);
    for (line, field) in [
        (with(r#""mark":"jump""#), "character"),
        (with(r#""join":{"name":"enemy","rig":{"bones":[]}}"#), "time"),
        (with(r#""leave":"guard""#), "time"),
        (r#"{"mark":"jump","leave":"guard","time":1}"#.to_owned(), "leave"),
        (r#"{"leave":"guard","time":1}"#.to_owned(), "time"),
        (joins.replacen('{', r#"{"leave":"guard","#, 1), "leave"),
        (joins.replacen('{', r#"{"frame":3,"#, 1), "frame"),
        (with(r#""time":0.1"#), "time"),
        (r#"{"leave":"guard","leave":"player"}"#.to_owned(), "leave"),
        (joins.replacen("\"name\"", r#""name":"a","name""#, 1), "name"),
        (steps.to_string(), &format!("steps[{last}]")),
        (writes.to_string(), "writes[2]"),
        (inner("nodes", r#""body":[0,1,0]"#), "body"),
        (inner("nodes", r#""bod\u0079":[0,1,0]"#), "body"),
        (inner("bones", r#""01":[0,0,0,0,0,0,1]"#), "writes[0].bones"),
    ] {
        let mut reader = with_player();
        let fault = reader.read(&line).unwrap_err();
        assert!(fault.place.starts_with("line 2"), "{fault}");
        assert!(Refusal::new(2, &fault).field.starts_with(field), "{field}: {fault}: {}", &line[..line.len().min(200)]);
        assert_eq!((name(&reader, 0), name(&reader, 1)), (Some("player"), None));
    }
}

#[test]
fn refusals_name_line_and_field_in_plain_words() {
    let mut writer = Writer::new(&header()).0;
    let frame = writer.frame(&solved(0, 3, Settings::default())).unwrap();
    let with = |path: &str, to: &str| {
        let mut line = value(&frame);
        match line.pointer_mut(path) {
            Some(field) => *field = value(to),
            None => line[&path[1..]] = value(to),
        }
        line.to_string()
    };
    let without = |key: &str| {
        let mut line = value(&frame);
        line.as_object_mut().unwrap().remove(key);
        line.to_string()
    };
    let one_bone = r#"{"join":{"name":"a","rig":{"bones":[{"name":"x","parent":-1}]}}}"#;
    for (line, field, message) in [
        ("7".to_owned(), "", "is 7; expected an object"),
        ("[]".to_owned(), "", "is a list; expected an object"),
        (
            "{".to_owned(),
            "",
            "the text ends within an object; add the missing fields and the closing brace, at column 1",
        ),
        ("nonsense".to_owned(), "", "a list or an object, at column 2"),
        (with("/character", "3"), "character", "is 3; expected text"),
        (with("/frame", "-1"), "frame", "is -1; expected a whole number, 0 or more"),
        (with("/time", "\"now\""), "time", "is the text \"now\"; expected a number"),
        (frame.replacen("\"time\":0.1", "\"time\":1e400", 1), "time", "the number is too large"),
        (frame.replacen("\"time\":0.1", "\"time\":NaN", 1), "time", "a JSON value is expected here"),
        (without("time"), "time", "is missing; seconds, as in 13.5"),
        (without("animated"), "animated", "is missing; a transform for each bone"),
        (with("/animated", "{}"), "animated", "is an object; expected a list"),
        (with("/animated", "[]"), "animated", "has 0 bones; the rig has"),
        (with("/animated/3", "[1,2,3]"), "animated[3]", "has 3 entries; expected seven numbers"),
        (with("/animated/3", "[1,2,3,0,0,0,1,5,6]"), "animated[3]", "has 9 entries; expected seven numbers"),
        (with("/animated/3", "\"x\""), "animated[3]", "is the text \"x\"; expected seven numbers"),
        (with("/animated/3/4", "null"), "animated[3][4]", "is null; expected a number"),
        (with("/animated/3/0", "1e39"), "animated[3][0]", "the number is too large"),
        (with("/steps/0", r#"{"stage":"read"}"#), "steps[0].nodes", "is missing"),
        (with("/steps/0/stage", "\"pusch\""), "steps[0].stage", "is \"pusch\"; expected one of read, "),
        (with("/steps/0/nodes/body", "[0,1]"), "steps[0].nodes.body", "has 2 entries; expected a list of 3 numbers"),
        (with("/steps/0/nodes/body", "[0,1,2,3]"), "steps[0].nodes.body", "has too many entries"),
        (with("/steps/0/nodes", r#"{"bodi":[0,0,0]}"#), "steps[0].nodes", "is \"bodi\"; expected one of body, "),
        (with("/writes/0/bones", r#"{"x":[0,0,0,0,0,0,1]}"#), "writes[0].bones", "expected"),
        (
            with("/parameters", r#"{"solver":{"wait":1}}"#),
            "parameters.solver.wait",
            "unknown field \"wait\"; the fields here",
        ),
        (
            with("/parameters", r#"{"solver":{"weight":3}}"#),
            "parameters.solver.weight",
            "is 3; it must be a number from 0 to 1",
        ),
        (with("/parameters", r#"{"effectors":{"tail":{}}}"#), "parameters.effectors", "tail"),
        // Serde would read a list of field values as an object. The format does not allow this, because the values have
        // no names.
        (r#"["jump",null,null,null,null,13.6]"#.to_owned(), "", "is a list; expected an object"),
        (with("/steps/0", r#"[null,"read",{}]"#), "steps[0]", "is a list; expected an object"),
        (with("/writes/0", r#"["spine",{}]"#), "writes[0]", "is a list; expected an object"),
        (
            with("/animated/3", r#"{"position":[0,0,0],"rotation":{}}"#),
            "animated[3].rotation",
            "is an object; expected",
        ),
        (with("/parameters", r#"{"solver":[1,4]}"#), "parameters.solver", "is a list; expected an object"),
        (with("/parameters", "[{},{},{}]"), "parameters", "is a list; expected an object"),
        (r#"{"join":["a",{}]}"#.to_owned(), "join", "is a list; expected an object"),
        (r#"{"join":{"name":"a","rig":[[]]}}"#.to_owned(), "join.rig", "is a list; expected an object"),
        (
            one_bone.replace(r#"{"name":"x","parent":-1}"#, r#"["x",-1,[0,0,0,0,0,0,1]]"#),
            "join.rig.bones[0]",
            "is a list",
        ),
        (r#"{"join":{"name":"a"}}"#.to_owned(), "join.rig", "is missing"),
        (r#"{"join":7}"#.to_owned(), "join", "is 7; expected an object"),
        (r#"{"leave":7}"#.to_owned(), "leave", "is 7; expected text"),
        (one_bone.to_owned(), "join.rig.bones[0].reference", "is missing"),
    ] {
        let mut reader = with_player();
        let fault = reader.read(&line).unwrap_err();
        let refusal = Refusal::new(2, &fault);
        let shown = &line[..line.len().min(120)];
        assert_eq!(refusal.line, 2);
        assert!(refusal.field.starts_with(field) && refusal.field.is_empty() == field.is_empty(), "{shown}: {fault}");
        assert!(refusal.message.contains(message), "{shown}: {:?} lacks {message:?}", refusal.message);
        for name in ["struct", "enum", "f32", "u64", "usize", "variant", "sequence", "EOF", "File"] {
            assert!(!refusal.message.contains(name), "{}", refusal.message);
        }
        let answer = refusal.to_line();
        assert!(answer.starts_with("{\"error\":{\"line\":2,\"field\":") && answer.ends_with("}}\n"), "{answer}");
        assert_eq!(Refusal::of_line(&answer), Some(refusal));
    }
}

#[test]
fn an_omitted_root_node_is_found_by_position() {
    let own = character("enemy");
    let mut line = value(&join(&own));
    line["join"]["biped"].as_object_mut().unwrap().remove("root_node");
    let mut reader = with_player();
    assert_eq!(reader.read(&line.to_string()), Ok(Some(Line::Join(1))));
    assert_eq!(reader.character(1).unwrap().biped, own.biped);
    line["join"]["biped"]["spine"] = json!([]);
    line["join"]["name"] = "enemy 2".into();
    let found = refused(&mut reader, &line.to_string());
    assert!(found.starts_with("line 3, join.biped.spine: is empty"), "{found}");
    // Traces, which are also the cases of the conformance kit, may omit the root node too.
    let trace = Trace::solve("", own.rig(own.reference.clone()), Settings::default()).unwrap();
    let mut file = value(&trace.to_json());
    let written = Trace::from_json(&file.to_string()).unwrap();
    file["rig"]["biped"].as_object_mut().unwrap().remove("root_node");
    assert_eq!(Trace::from_json(&file.to_string()).unwrap(), written);
}
