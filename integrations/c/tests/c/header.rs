//! The functions and types that the header declares.

#[derive(Clone, Debug)]
pub struct Parameter {
    /// The type without `const` and `struct`, with its stars: `KinescopeSolver *`.
    pub kind: String,
    pub name: String,
}

impl Parameter {
    /// Returns the type that a pointer points to; `None` for a value.
    pub fn pointee(&self) -> Option<&str> {
        Some(self.kind.strip_suffix('*')?.trim())
    }
}

#[derive(Clone, Debug)]
pub struct Function {
    pub result: String,
    pub name: String,
    pub parameters: Vec<Parameter>,
}

pub struct Header {
    pub functions: Vec<Function>,
    /// The types of objects.
    pub objects: Vec<String>,
    /// Structures without pointers, both in their own fields and in structures that they contain.
    pub plain: Vec<String>,
}

pub fn text() -> String {
    std::fs::read_to_string(super::root().join("include/kinescope.h")).unwrap()
}

pub fn structures(header: &str) -> Vec<&str> {
    let defined = header.lines().filter_map(|line| line.strip_prefix("typedef struct ")?.strip_suffix(" {"));
    let mut defined: Vec<&str> = defined.collect();
    defined.sort_unstable();
    defined
}

impl Header {
    pub fn read() -> Self {
        let text = text();
        let code: String =
            text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        let opaque = |line: &str| {
            let names = line.strip_prefix("typedef struct ")?.strip_suffix(';')?;
            let (first, second) = names.split_once(' ')?;
            (first == second).then(|| first.to_owned())
        };
        let (_, declared) = code.split_once("extern \"C\" {").unwrap();
        let (declared, _) = declared.split_once("static inline").unwrap();
        let declared = declared.split_once("#endif // __cplusplus").unwrap().1;
        Self {
            functions: declared.split(';').filter_map(function).collect(),
            objects: code.lines().filter_map(opaque).collect(),
            plain: plain(&code),
        }
    }
}

fn function(text: &str) -> Option<Function> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, parameters) = text.split_once('(')?;
    let (result, name) = split(head);
    let parameters = parameters.trim_end_matches(')').split(',').filter(|own| *own != "void");
    let parameters = parameters.map(|own| {
        let (kind, name) = split(own.trim());
        Parameter { kind, name }
    });
    Some(Function { result, name, parameters: parameters.collect() })
}

fn split(declaration: &str) -> (String, String) {
    let at = declaration.rfind(|own: char| !(own.is_alphanumeric() || own == '_')).map_or(0, |at| at + 1);
    let words = declaration[..at].replace("const", "").replace("struct ", "");
    (words.split_whitespace().collect::<Vec<_>>().join(" "), declaration[at..].to_owned())
}

fn plain(code: &str) -> Vec<String> {
    let bodies: Vec<(&str, &str)> = code
        .split("typedef struct ")
        .filter_map(|own| {
            let (name, body) = own.split_once(" {\n")?;
            Some((name, body.split_once("\n}")?.0))
        })
        .collect();
    let mut plain: Vec<String> = Vec::new();
    // A structure is defined after those that it contains.
    for (name, body) in &bodies {
        let inner = |other: &&(&str, &str)| body.contains(&format!("struct {} ", other.0));
        let is_plain = !body.contains('*') && bodies.iter().filter(inner).all(|own| plain.iter().any(|p| p == own.0));
        if is_plain {
            plain.push((*name).to_owned());
        }
    }
    plain
}
