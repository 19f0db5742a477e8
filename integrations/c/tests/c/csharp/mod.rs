//! The C interface in C#, generated from the header: structures, enums and imported functions for `integrations/unity`.

use std::collections::BTreeMap;
use std::fmt::Write;

const HEAD: &str = "\
// Generated from integrations/c/include/kinescope.h; do not edit. To generate again: KINESCOPE_WRITE_HEADER=1 cargo test the_header
// in integrations/c.

using System;
using System.Runtime.InteropServices;

namespace Kinescope
{
";

/// Keywords of C# that C allows as names of fields and arguments.
const KEYWORDS: [&str; 50] = [
    "abstract",
    "as",
    "base",
    "bool",
    "byte",
    "char",
    "checked",
    "class",
    "decimal",
    "default",
    "delegate",
    "event",
    "explicit",
    "finally",
    "fixed",
    "foreach",
    "implicit",
    "in",
    "interface",
    "internal",
    "is",
    "lock",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "sbyte",
    "sealed",
    "stackalloc",
    "string",
    "this",
    "throw",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
];

/// Types of UnityEngine that scripts name without the namespace. With `using Kinescope;` a type of the same name is ambiguous.
const UNITY: [&str; 22] = [
    "Animation",
    "Animator",
    "Avatar",
    "Bounds",
    "Camera",
    "Collider",
    "Color",
    "Component",
    "Joint",
    "Light",
    "Material",
    "Matrix4x4",
    "Mesh",
    "Motion",
    "Object",
    "Pose",
    "Quaternion",
    "Ray",
    "Space",
    "Terrain",
    "Texture",
    "Transform",
];

#[derive(Default)]
struct Header {
    /// Constants with numbers, such as `KINESCOPE_NODES`.
    constants: BTreeMap<String, usize>,
    enums: Vec<Enum>,
    structures: Vec<Structure>,
    functions: Vec<Function>,
    /// Types that are used only through pointers.
    opaque: Vec<String>,
    callbacks: Vec<String>,
}

struct Enum {
    name: String,
    doc: Vec<String>,
    /// Documentation and declaration of each variant: `KINESCOPE_LIMB_LEFT_ARM = 0`.
    variants: Vec<Declared>,
}

struct Structure {
    name: String,
    doc: Vec<String>,
    fields: Vec<Declared>,
}

struct Function {
    doc: Vec<String>,
    text: String,
}

struct Declared {
    doc: Vec<String>,
    text: String,
}

/// Returns the declarations of the lines before the one for which `is_last` is true, each on one line, with the
/// documentation above it.
fn declarations<'a>(lines: &mut impl Iterator<Item = &'a str>, is_last: impl Fn(&str) -> bool) -> Vec<Declared> {
    let (mut all, mut doc, mut text) = (Vec::new(), Vec::new(), String::new());
    for line in lines {
        if is_last(line) {
            break;
        }
        let line = line.trim();
        if let Some(comment) = line.strip_prefix("//") {
            doc.push(comment.trim().to_owned());
        } else if !line.is_empty() {
            text = format!("{text} {line}");
            if line.ends_with([';', ',']) && text.matches('(').count() == text.matches(')').count() {
                let text = std::mem::take(&mut text).trim_end_matches([';', ',']).trim().to_owned();
                all.push(Declared { doc: std::mem::take(&mut doc), text });
            }
        }
    }
    all
}

fn read(header: &str) -> Header {
    let mut own = Header::default();
    let mut doc = Vec::new();
    // The rules of the interface at the top are a block comment; all other comments are lines.
    let mut lines = header
        .lines()
        .filter(|line| !line.starts_with("/*") && !line.starts_with(" *"))
        .filter(|line| !line.starts_with('#') || line.starts_with("#define KINESCOPE_"));
    while let Some(line) = lines.next() {
        if let Some(comment) = line.strip_prefix("//") {
            doc.push(comment.trim().to_owned());
            continue;
        }
        let doc = std::mem::take(&mut doc);
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["#define", name, value] => {
                own.constants.extend(value.parse().ok().map(|value| (name.to_owned(), value)));
            }
            ["enum", name] => {
                lines.by_ref().find(|line| line.trim() == "{").unwrap();
                let variants = declarations(&mut lines, |line| line == "};");
                own.enums.push(Enum { name: name.to_owned(), doc, variants });
            }
            ["typedef", "struct", name, "{"] => {
                let fields = declarations(&mut lines, |line| line.starts_with('}'));
                own.structures.push(Structure { name: name.to_owned(), doc, fields });
            }
            ["typedef", "struct", name, _] => own.opaque.push(name.to_owned()),
            ["typedef", "enum", ..] | ["typedef", _, _] | ["extern", ..] | [] => {}
            ["typedef", ..] => {
                let name = line.split_once("(*").unwrap().1.split(')').next().unwrap();
                own.callbacks.push(name.to_owned());
                if !line.ends_with(';') {
                    lines.by_ref().find(|line| line.ends_with(';')).unwrap();
                }
            }
            ["static", "inline", ..] => {
                lines.by_ref().find(|line| *line == "}").unwrap();
            }
            _ if line.contains(" kinescope_") || line.contains("*kinescope_") => {
                let mut text = line.to_owned();
                while !text.ends_with(';') {
                    text = format!("{text} {}", lines.next().unwrap().trim());
                }
                own.functions.push(Function { doc, text });
            }
            _ => {}
        }
    }
    own
}

/// Converts `left_hand` and `LEFT_HAND` to `leftHand` or `LeftHand`.
fn camel(name: &str, first_is_large: bool) -> String {
    let mut out = String::new();
    for part in name.split('_') {
        let part = part.to_lowercase();
        let (first, rest) = part.split_at(part.len().min(1));
        out += &if out.is_empty() && !first_is_large { part.clone() } else { first.to_uppercase() + rest };
    }
    out
}

fn safe(name: String) -> String {
    if KEYWORDS.contains(&name.as_str()) { format!("@{name}") } else { name }
}

fn parts(text: &str) -> (&str, &str) {
    let at = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or_else(|| panic!("no type: {text}"));
    (text[..=at].trim(), &text[at + 1..])
}

fn write_doc(out: &mut String, indent: &str, doc: &[String]) {
    if doc.is_empty() {
        return;
    }
    let text = doc.join(" ").replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    // Most C names of types are the C# names with a prefix.
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Kinescope") {
        let after = &rest[at + "Kinescope".len()..];
        plain += &rest[..at];
        plain += if after.starts_with(|c: char| c.is_ascii_uppercase()) { "" } else { "Kinescope" };
        rest = after;
    }
    let _ = writeln!(out, "{indent}/// <summary>{plain}{rest}</summary>");
}

impl Header {
    fn structure(&self, name: &str) -> Option<&Structure> {
        self.structures.iter().find(|own| own.name == name)
    }

    /// Returns whether a structure has pointers or callbacks, also in structures within it. C# hides such structures
    /// behind classes.
    fn has_pointers(&self, of: &Structure) -> bool {
        of.fields.iter().any(|field| {
            let kind = field.text.split_whitespace().find_map(|word| self.structure(word));
            field.text.contains('*')
                || self.callbacks.iter().any(|own| field.text.contains(own.as_str()))
                || kind.is_some_and(|kind| self.has_pointers(kind))
        })
    }

    fn csharp_name(&self, name: &str) -> String {
        let plain = name.strip_prefix("Kinescope").unwrap_or(name);
        match self.structure(name) {
            Some(own) if self.has_pointers(own) => format!("Native{plain}"),
            Some(_) if plain == "Transform" => "RigidTransform".to_owned(),
            _ if UNITY.contains(&plain) => name.to_owned(),
            _ => plain.to_owned(),
        }
    }

    fn type_of(&self, text: &str) -> String {
        let stars = text.matches('*').count();
        let text = text.replace('*', " ");
        let words: Vec<&str> =
            text.split_whitespace().filter(|word| !["const", "struct", "enum"].contains(word)).collect();
        let [base] = words[..] else { panic!("a type that C# does not know: {text}") };
        let plain = match base {
            "float" | "double" | "void" => base.to_owned(),
            "int32_t" => "int".to_owned(),
            "uint32_t" => "uint".to_owned(),
            "int64_t" => "long".to_owned(),
            "uint64_t" => "ulong".to_owned(),
            "size_t" => "UIntPtr".to_owned(),
            "uint8_t" | "char" => "byte".to_owned(),
            _ if self.opaque.iter().any(|own| own == base) => "void".to_owned(),
            _ if self.callbacks.iter().any(|own| own == base) => "IntPtr".to_owned(),
            _ if self.structure(base).is_some() || self.enums.iter().any(|own| own.name == base) => {
                self.csharp_name(base)
            }
            _ => panic!("a type that C# does not know: {text}"),
        };
        match (plain.as_str(), stars) {
            ("void", 0) => plain,
            ("void", _) => format!("IntPtr{}", "*".repeat(stars - 1)),
            _ => plain + &"*".repeat(stars),
        }
    }

    fn declared(&self, text: &str) -> (String, String) {
        if let Some((_, rest)) = text.split_once("(*") {
            return ("IntPtr".to_owned(), safe(camel(rest.split(')').next().unwrap(), false)));
        }
        let (kind, name) = parts(text);
        (self.type_of(kind), safe(camel(name, false)))
    }

    /// Returns the names of an array's elements: those of an enum, or numbers.
    fn elements(&self, count: &str, name: &str) -> Vec<String> {
        let of_count = |own: &&Enum| format!("KINESCOPE_{}S", own.name["Kinescope".len()..].to_uppercase()) == count;
        let single = camel(name.strip_suffix('s').unwrap_or(name), true);
        match self.enums.iter().find(of_count) {
            Some(own) => own.variants.iter().map(|variant| camel(&key(own, variant), false) + &single).collect(),
            None => {
                let count = self.constants.get(count).copied().unwrap_or_else(|| count.parse().unwrap());
                (0..count).map(|at| format!("{}{at}", camel(name, false))).collect()
            }
        }
    }

    fn write_structure(&self, out: &mut String, own: &Structure) {
        write_doc(out, "    ", &own.doc);
        let access = if self.has_pointers(own) { "internal unsafe" } else { "public" };
        let name = self.csharp_name(&own.name);
        let _ = writeln!(out, "    [StructLayout(LayoutKind.Sequential)]\n    {access} partial struct {name}\n    {{");
        for Declared { doc, text } in &own.fields {
            let doc: Vec<String> = doc.iter().map(|line| with_own_fields(own, line)).collect();
            if let Some((before, count)) = text.strip_suffix(']').and_then(|text| text.split_once('[')) {
                let (kind, name) = parts(before);
                let kind = self.type_of(kind);
                for name in self.elements(count, name) {
                    let _ = writeln!(out, "        public {kind} {name};");
                }
            } else {
                let (kind, name) = self.declared(text);
                write_doc(out, "        ", &doc);
                let _ = writeln!(out, "        public {kind} {name};");
            }
        }
        out.push_str("    }\n\n");
    }

    fn write_function(&self, out: &mut String, own: &Function) {
        let (before, rest) = own.text.split_once('(').unwrap();
        let arguments = rest.trim_end_matches(';').strip_suffix(')').unwrap();
        let (kind, name) = parts(before);
        let (mut depth, mut all) = (0, vec![String::new()]);
        for letter in arguments.chars() {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            if letter == ',' && depth == 0 { all.push(String::new()) } else { all.last_mut().unwrap().push(letter) }
        }
        let all = all.iter().map(|text| text.trim()).filter(|text| !["", "void"].contains(text));
        let all: Vec<String> =
            all.map(|text| self.declared(text)).map(|(kind, name)| format!("{kind} {name}")).collect();
        write_doc(out, "        ", &own.doc);
        let kind = self.type_of(kind);
        let _ = writeln!(
            out,
            "        [DllImport(Library, CallingConvention = CallingConvention.Cdecl, ExactSpelling = true)]\n        internal static \
             extern {kind} {name}({});\n",
            all.join(", ")
        );
    }
}

/// Returns documentation with the names that the structure's fields have in C#.
fn with_own_fields(own: &Structure, line: &str) -> String {
    own.fields.iter().filter(|field| !field.text.contains(['(', '['])).fold(line.to_owned(), |line, field| {
        let name = parts(&field.text).1;
        line.replace(&format!("`{name}`"), &format!("`{}`", camel(name, false)))
    })
}

/// Returns the name of a variant without its enum's: `LEFT_ARM`.
fn key(of: &Enum, variant: &Declared) -> String {
    let name = variant.text.split(['=', ' ']).next().unwrap();
    let prefix = format!("KINESCOPE_{}_", of.name["Kinescope".len()..].to_uppercase());
    // Variants of an enum with a name of two words have an underscore that `prefix` lacks: `KINESCOPE_FOOT_LOCK_FREE`.
    let mut left = prefix.replace('_', "").len();
    let at = name.char_indices().find(|(_, c)| {
        left -= usize::from(*c != '_');
        left == 0
    });
    name[at.unwrap().0 + 2..].to_owned()
}

pub fn source(header: &str) -> String {
    let own = read(header);
    let mut out = HEAD.to_owned();
    for of in &own.enums {
        write_doc(&mut out, "    ", &of.doc);
        let base = if of.name == "KinescopeStatus" { "int" } else { "uint" };
        let _ = writeln!(out, "    public enum {} : {base}\n    {{", own.csharp_name(&of.name));
        for variant in &of.variants {
            write_doc(&mut out, "        ", &variant.doc);
            let value = variant.text.split_once('=').map(|(_, value)| format!(" ={value}")).unwrap_or_default();
            let _ = writeln!(out, "        {}{value},", camel(&key(of, variant), true));
        }
        out.push_str("    }\n\n");
    }
    own.structures.iter().for_each(|structure| own.write_structure(&mut out, structure));
    out.push_str(
        "    /// <summary>The functions of the library, and the layout for which this file was made.</summary>\n    \
         internal static unsafe class Native\n    {\n#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR\n        \
         const string Library = \"__Internal\";\n#else\n        const string Library = \"kinescope\";\n#endif\n\n",
    );
    let _ = writeln!(out, "        internal const uint AbiVersion = {};\n", own.constants["KINESCOPE_ABI_VERSION"]);
    out.push_str("        internal static readonly string[] StructNames =\n        {\n");
    for structure in &own.structures {
        let _ = writeln!(out, "            \"{}\",", structure.name);
    }
    out.push_str("        };\n\n        internal static readonly int[] StructSizes =\n        {\n");
    for structure in &own.structures {
        let _ = writeln!(out, "            sizeof({}),", own.csharp_name(&structure.name));
    }
    out.push_str("        };\n\n");
    own.functions.iter().for_each(|function| own.write_function(&mut out, function));
    out.truncate(out.trim_end().len());
    out.push_str("\n    }\n}\n");
    out
}

#[test]
fn no_public_type_has_the_name_of_one_of_unity() {
    let path = super::root().join("../unity/Runtime/Core/Native.cs");
    let source = std::fs::read_to_string(path).unwrap();
    let name = |line: &str| Some(line.trim().strip_prefix("public ")?.split_once(" struct ")?.1.to_owned());
    let structures: Vec<String> = source.lines().filter_map(name).collect();
    assert!(structures.len() > 40 && structures.iter().any(|own| own == "KinescopeMaterial"), "{structures:?}");
    let taken: Vec<&String> = structures.iter().filter(|own| UNITY.contains(&own.as_str())).collect();
    assert!(taken.is_empty(), "{taken:?}");
}
