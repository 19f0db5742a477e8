//! Hostile calls of every function: NULL, freed objects, objects of another type, misaligned pointers, NaN, numbers out of range.
//! The program in C is generated from the header, so that no function is left out.

use std::fmt::Write;

use super::header::{Function, Header, Parameter};
use super::{built, compile, library, root, run};

/// Pointers that may be NULL: function and parameter; `*` stands for every function.
const MAY_BE_NULL: &[(&str, &str)] = &[
    ("*", "outcome"),
    ("*", "needed"),
    ("*", "buffer"),
    ("*", "mask"),
    ("*", "progress"),
    ("kinescope_ground", "planted"),
    ("kinescope_modifiers_add", "index"),
    ("kinescope_game_add", "index"),
    ("kinescope_recorder_join", "index"),
    ("kinescope_sender_join", "index"),
    ("kinescope_step", "done"),
    ("kinescope_chain_step", "stage"),
    ("kinescope_solver_new", "biped"),
    ("kinescope_sender_new", "address"),
    ("kinescope_modifiers_attach", "attachment"),
    ("kinescope_modifiers_attach_effector", "attachment"),
    ("kinescope_grounder_set_speed", "settings"),
    ("kinescope_chain_new_of_file", "settings"),
    ("kinescope_chain_new_of_positions", "from"),
    ("kinescope_stack_solve", "ground"),
    ("kinescope_crowd_new", "ground"),
    ("kinescope_crowd_new", "ways"),
    ("kinescope_capsule_replay", "ground"),
    ("kinescope_capsule_check", "ground"),
    ("kinescope_sweep_new", "ground"),
    ("kinescope_sweep_new", "y"),
    ("kinescope_sensitivities_new", "ground"),
    ("kinescope_sweep_new_of_tape", "ground"),
    ("kinescope_sweep_new_of_tape", "y"),
    ("kinescope_sensitivities_new_of_tape", "ground"),
    ("kinescope_tape_replay", "ground"),
    ("kinescope_tape_solve_again", "ground"),
    ("kinescope_tape_solve_again", "preset"),
];

fn may_be_null(function: &Function, parameter: &Parameter) -> bool {
    MAY_BE_NULL.iter().any(|(own, name)| (*own == "*" || *own == function.name) && *name == parameter.name)
}

fn valid(header: &Header, function: &Function, parameter: &Parameter) -> String {
    let kind = parameter.pointee();
    match (function.name.as_str(), parameter.name.as_str()) {
        ("kinescope_chain_new_of_positions", "count") | ("kinescope_terrain_new", "columns" | "rows") => {
            return "2".to_owned();
        }
        ("kinescope_pose_blend" | "kinescope_pose_add" | "kinescope_pose_mask", "count") => return "BONES".to_owned(),
        ("kinescope_model_new" | "kinescope_model_new_in_unit", "count") | (_, "size") => {
            return "strlen(gltf)".to_owned();
        }
        ("kinescope_model_sample" | "kinescope_model_morph_weights", "clip") => return "-1".to_owned(),
        ("kinescope_reach_new", "count") => return "8".to_owned(),
        ("kinescope_stack_set_clips", "clips") => return "&(KinescopePlayedClip){\"clip\", 1.0f, 1.0f}".to_owned(),
        ("kinescope_chain_new_of_bones", "first") => return "5".to_owned(),
        ("kinescope_chain_new_of_bones", "end") => return "7".to_owned(),
        (_, "out") => {
            let of = kind.unwrap_or_default().trim_end_matches(['*', ' ']);
            return format!("({of} **)new_object(\"{of}\")");
        }
        (_, _) => {}
    }
    match (kind, parameter.kind.as_str()) {
        (Some(of), _) if header.objects.iter().any(|own| own == of) => format!("live(\"{of}\")"),
        (Some("char"), _) if parameter.name == "buffer" => "text_buffer".to_owned(),
        (Some("uint8_t"), _) if parameter.name == "pixels" || function.name == "kinescope_file_bytes" => {
            "bytes".to_owned()
        }
        (Some("uint8_t"), _) => "(const uint8_t *)gltf".to_owned(),
        (Some("char"), _) => format!("text_of(\"{}\")", parameter.name),
        (Some(of), _) => format!(
            "filled(\"{of}\", {})",
            if of.ends_with('*') { "sizeof(void *)".to_owned() } else { format!("sizeof({of})") }
        ),
        (None, "size_t") if parameter.name == "capacity" || parameter.name == "count" => "1".to_owned(),
        (None, "float" | "double") => "1.0f".to_owned(),
        (None, of) if of.starts_with("Kinescope") => format!("*({of} *)filled(\"{of}\", sizeof({of}))"),
        (None, _) => "0".to_owned(),
    }
}

/// Returns hostile values of a parameter, each with a name and an expression in C.
fn wrong(header: &Header, parameter: &Parameter) -> Vec<(&'static str, String)> {
    match (parameter.pointee(), parameter.kind.as_str()) {
        (Some(of), _) if header.objects.iter().any(|own| own == of) => vec![
            ("freed", format!("freed(\"{of}\")")),
            ("other", format!("other(\"{of}\")")),
            ("misaligned", format!("(void *)((char *)live(\"{of}\") + 1)")),
        ],
        (Some("char" | "void"), _) => Vec::new(),
        (Some(of), _) if header.plain.iter().any(|own| own == of) => {
            vec![("NaN", format!("not_a_number(sizeof({of}))")), ("misaligned", "(void *)(bytes + 1)".to_owned())]
        }
        (Some("float"), _) => vec![("NaN", "not_a_number(2 * sizeof(float))".to_owned())],
        (Some("KinescopePose"), _) => vec![
            ("too few bones", "pose_with(3)".to_owned()),
            ("too many bones", "pose_with(SIZE_MAX)".to_owned()),
            ("no bones", "pose_with(0)".to_owned()),
        ],
        (Some(_), _) => Vec::new(),
        (None, "float" | "double") => {
            vec![("NaN", "(float)NAN".to_owned()), ("infinite", "-INFINITY".to_owned()), ("huge", "3e38f".to_owned())]
        }
        (None, "size_t") => vec![("huge", "SIZE_MAX".to_owned())],
        (None, "uint32_t") => vec![("huge", "UINT32_MAX".to_owned())],
        (None, "uint64_t") => vec![("huge", "UINT64_MAX".to_owned())],
        (None, "int32_t") => vec![("least", "INT32_MIN".to_owned()), ("most", "INT32_MAX".to_owned())],
        (None, of) if of.starts_with("Kinescope") => vec![("NaN", format!("*({of} *)not_a_number(sizeof({of}))"))],
        (None, _) => Vec::new(),
    }
}

/// Writes a call, with one argument replaced, and what it must return.
fn call(out: &mut String, function: &Function, arguments: &[String], what: &str, must: &str) {
    let call = format!("{}({})", function.name, arguments.join(", "));
    let text = format!("{}: {what}", function.name);
    let _ = match function.result.as_str() {
        "KinescopeStatus" => writeln!(out, "    begin();\n    check({call}, \"{text}\", {must});"),
        "void" => writeln!(out, "    begin();\n    {call};\n    end(\"{text}\");"),
        _ => writeln!(out, "    begin();\n    (void){call};\n    end(\"{text}\");"),
    };
}

fn calls(header: &Header) -> String {
    let mut out = String::new();
    for function in &header.functions {
        let _ = writeln!(out, "static void of_{}(void)\n{{", function.name);
        let all: Vec<String> = function.parameters.iter().map(|own| valid(header, function, own)).collect();
        let frees = function.name.ends_with("_free");
        if !frees && function.name != "kinescope_set_allocator" {
            call(&mut out, function, &all, "valid arguments", "ANY");
        }
        for (index, parameter) in function.parameters.iter().enumerate() {
            let mut with = |value: String, what: &str, must: &str| {
                let mut arguments = all.clone();
                arguments[index] = value;
                let what = format!("{} is {what}", parameter.name);
                call(&mut out, function, &arguments, &what, must);
            };
            if parameter.pointee().is_some() {
                let may = frees || may_be_null(function, parameter);
                with("NULL".to_owned(), "NULL", if may { "ANY" } else { "REFUSED" });
            }
            for (what, value) in wrong(header, parameter) {
                let is_object = ["freed", "other", "misaligned"].contains(&what);
                with(value, what, if is_object { "REFUSED" } else { "ANY" });
            }
        }
        out.push_str("}\n\n");
    }
    let _ = writeln!(out, "enum {{ COUNT = {} }};\n", header.functions.len());
    out.push_str("static void all(void)\n{\n");
    for function in &header.functions {
        let _ = writeln!(out, "    of_{}();", function.name);
    }
    out.push_str("}\n");
    out
}

#[test]
fn every_function_survives_hostile_arguments() {
    let header = Header::read();
    assert!(header.functions.len() > 100 && header.objects.len() >= 11, "{:?}", header.objects);
    let prelude = std::fs::read_to_string(root().join("tests/c/hostile.c")).unwrap();
    let (before, after) = prelude.split_once("/* The generated calls. */\n").unwrap();
    let source = built().join("hostile calls.c");
    std::fs::write(&source, format!("{before}{}{after}", calls(&header))).unwrap();
    let program = compile(&source, "hostile", &[], &library().join("libkinescope.a"));
    let printed = run(std::process::Command::new(program).current_dir(built()));
    let (functions, rest) = printed.trim().split_once(" functions, ").unwrap();
    assert_eq!(functions.parse::<usize>().unwrap(), header.functions.len(), "{printed}");
    let (calls, failed) = rest.split_once(" calls, ").unwrap();
    assert!(calls.parse::<usize>().unwrap() > 1000, "{printed}");
    // If a function fails with valid arguments, its calls with one hostile argument test little.
    assert_eq!(failed, "0 valid calls failed", "{printed}");
}
