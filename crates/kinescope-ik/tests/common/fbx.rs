//! Builds ASCII FBX files: nodes with any transform properties, a mesh with skin, blend shapes and texture, and clips.

use std::fmt::Write;

/// Ticks of FBX time in a second.
const TICKS: f64 = 46_186_158_000.0;

/// A node of the file. Its id is its index in [`FbxFile::nodes`] plus 1000.
#[derive(Clone)]
pub struct FbxNode {
    pub name: String,
    pub parent: Option<usize>,
    /// Name and values of each property: the file has a line `P: "Name", "type", "", "A", values` for it.
    pub properties: Vec<(String, Vec<f64>)>,
}

impl FbxNode {
    pub fn new(name: &str, parent: Option<usize>, properties: &[(&str, &[f64])]) -> Self {
        let properties = properties.iter().map(|(name, values)| ((*name).to_owned(), values.to_vec())).collect();
        Self { name: name.to_owned(), parent, properties }
    }
}

#[derive(Clone)]
pub struct FbxCurve {
    pub node: usize,
    /// `Lcl Translation`, `Lcl Rotation` or `Lcl Scaling`; or `DeformPercent`: then `node` is the index of a blend
    /// shape.
    pub property: &'static str,
    /// 0, 1 or 2; ignored for `DeformPercent`.
    pub axis: usize,
    /// Time in seconds, and value.
    pub keys: Vec<(f64, f64)>,
    /// The flags of all keys: 2 constant, 4 linear, 8 cubic.
    pub flags: u32,
}

#[derive(Clone)]
pub struct FbxClip {
    pub name: String,
    /// Seconds.
    pub length: f64,
    pub curves: Vec<FbxCurve>,
}

/// Node, vertices, weights and matrix of a joint, as in [`FbxMesh::joints`].
pub type FbxJoint = (usize, Vec<i32>, Vec<f64>, [f64; 16]);

#[derive(Clone)]
pub struct FbxShape {
    pub name: String,
    /// The weight in percent outside clips.
    pub percent: f64,
    /// For each target, the percentage at which it is fully on, the vertices that it moves, and their offsets.
    pub targets: Vec<(f64, Vec<i32>, Vec<[f64; 3]>)>,
}

/// The id of the first blend shape's channel; those of the others follow.
const SHAPES: usize = 3000;

/// A mesh on its own node at the origin, bound to the file's nodes. Texture coordinates and colors are one per vertex.
#[derive(Clone, Default)]
pub struct FbxMesh {
    pub vertices: Vec<[f64; 3]>,
    pub faces: Vec<Vec<i32>>,
    pub uvs: Vec<[f64; 2]>,
    pub second_uvs: Vec<[f64; 2]>,
    pub shapes: Vec<FbxShape>,
    /// Red, green, blue, alpha.
    pub colors: Vec<[f64; 4]>,
    /// For each joint: its node, the vertices, their weights, and the joint's global matrix when it was bound, by
    /// columns.
    pub joints: Vec<FbxJoint>,
    pub texture: Option<String>,
    /// The texture's bytes as base64, if it is embedded.
    pub embedded: Option<String>,
}

#[derive(Clone)]
pub struct FbxFile {
    pub nodes: Vec<FbxNode>,
    pub mesh: Option<FbxMesh>,
    pub clips: Vec<FbxClip>,
    /// Centimetres per unit.
    pub unit: f64,
    /// `UpAxis`: 1 for Y, 2 for Z.
    pub up: i32,
}

impl Default for FbxFile {
    fn default() -> Self {
        Self { nodes: Vec::new(), mesh: None, clips: Vec::new(), unit: 100.0, up: 1 }
    }
}

fn numbers(values: &[f64]) -> String {
    // `{:?}` writes numbers from 1e16 on with an exponent: ufbx limits the number of digits.
    values.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(",")
}

fn array<T: ToString>(name: &str, values: impl IntoIterator<Item = T>) -> String {
    let values: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    format!("{name}: *{} {{\na: {}\n}}\n", values.len(), values.join(","))
}

impl FbxFile {
    pub fn write(&self) -> Vec<u8> {
        let (mut objects, mut links) = (String::new(), String::new());
        for (index, node) in self.nodes.iter().enumerate() {
            let properties: String = node
                .properties
                .iter()
                .map(|(name, values)| {
                    let kind = match name.as_str() {
                        "RotationOrder" | "InheritType" => "enum",
                        "RotationActive" => "bool",
                        name if name.starts_with("Lcl ") => name,
                        _ => "Vector3D",
                    };
                    format!("P: \"{name}\", \"{kind}\", \"\", \"A\",{}\n", numbers(values))
                })
                .collect();
            write!(
                objects,
                "Model: {}, \"Model::{}\", \"LimbNode\" {{\nVersion: 232\nProperties70: {{\n{properties}}}\n}}\n",
                1000 + index,
                node.name
            )
            .unwrap();
            let parent = node.parent.map_or(0, |parent| 1000 + parent);
            writeln!(links, "C: \"OO\",{},{parent}", 1000 + index).unwrap();
        }
        if let Some(mesh) = &self.mesh {
            Self::write_mesh(mesh, &mut objects, &mut links);
        }
        for (index, clip) in self.clips.iter().enumerate() {
            Self::write_clip(clip, 1_000_000 * (index + 1), &mut objects, &mut links);
        }
        let (front, front_sign) = if self.up == 2 { (1, -1) } else { (2, 1) };
        format!(
            "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n\
             Creator: \"Kinescope's tests\"\n}}\nGlobalSettings: {{\nVersion: 1000\nProperties70: {{\n\
             P: \"UpAxis\", \"int\", \"Integer\", \"\",{}\nP: \"UpAxisSign\", \"int\", \"Integer\", \"\",1\n\
             P: \"FrontAxis\", \"int\", \"Integer\", \"\",{front}\nP: \"FrontAxisSign\", \"int\", \"Integer\", \"\",{front_sign}\n\
             P: \"CoordAxis\", \"int\", \"Integer\", \"\",0\nP: \"CoordAxisSign\", \"int\", \"Integer\", \"\",1\n\
             P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",{}\n}}\n}}\nObjects: {{\n{objects}}}\nConnections: {{\n{links}}}\n",
            self.up, self.unit
        )
        .into_bytes()
    }

    fn write_mesh(mesh: &FbxMesh, objects: &mut String, links: &mut String) {
        // The last corner of a face is stored as its complement.
        let corners = mesh.faces.iter().flat_map(|face| {
            face.iter().enumerate().map(|(at, &corner)| if at + 1 == face.len() { !corner } else { corner })
        });
        let uv_set = |set: usize, uvs: &[[f64; 2]]| {
            if uvs.is_empty() {
                return String::new();
            }
            let all = mesh.faces.iter().flatten().flat_map(|&corner| uvs[corner as usize]);
            format!(
                "LayerElementUV: {set} {{\nVersion: 101\nName: \"UV{set}\"\n\
                 MappingInformationType: \"ByPolygonVertex\"\n\
                 ReferenceInformationType: \"Direct\"\n{}}}\nLayer: {set} {{\nVersion: 100\nLayerElement: {{\n\
                 Type: \"LayerElementUV\"\nTypedIndex: {set}\n}}\n}}\n",
                array("UV", all)
            )
        };
        let uvs = uv_set(0, &mesh.uvs) + &uv_set(1, &mesh.second_uvs);
        let colors = if mesh.colors.is_empty() {
            String::new()
        } else {
            let all = mesh.faces.iter().flatten().flat_map(|&corner| mesh.colors[corner as usize]);
            format!(
                "LayerElementColor: 0 {{\nVersion: 101\nName: \"Color\"\nMappingInformationType: \"ByPolygonVertex\"\n\
                 ReferenceInformationType: \"Direct\"\n{}}}\n",
                array("Colors", all)
            )
        };
        let vertices = array("Vertices", mesh.vertices.iter().flatten());
        let corners = array("PolygonVertexIndex", corners);
        write!(
            objects,
            "Geometry: 10, \"Geometry::Body\", \"Mesh\" {{\n{vertices}{corners}{uvs}{colors}}}\n\
             Model: 11, \"Model::Body\", \"Mesh\" {{\nVersion: 232\n}}\n\
             Material: 12, \"Material::Skin\", \"\" {{\nVersion: 102\nShadingModel: \"lambert\"\nProperties70: {{\n\
             P: \"DiffuseColor\", \"Color\", \"\", \"A\",0.25,0.5,0.75\nP: \"DiffuseFactor\", \"Number\", \"\", \"A\",1\n}}\n}}\n"
        )
        .unwrap();
        links.push_str("C: \"OO\",11,0\nC: \"OO\",10,11\nC: \"OO\",12,11\n");
        if let Some(texture) = &mesh.texture {
            let content = mesh.embedded.as_ref().map_or_else(String::new, |text| format!("Content: ,\"{text}\"\n"));
            write!(
                objects,
                "Video: 14, \"Video::Clip\", \"Clip\" {{\nType: \"Clip\"\nFilename: \"{texture}\"\n\
                 RelativeFilename: \"{texture}\"\n{content}}}\n\
                 Texture: 13, \"Texture::Base\", \"\" {{\nType: \"TextureVideoClip\"\nFileName: \"{texture}\"\n\
                 RelativeFilename: \"{texture}\"\n}}\n"
            )
            .unwrap();
            links.push_str("C: \"OP\",13,12, \"DiffuseColor\"\nC: \"OO\",14,13\n");
        }
        Self::write_shapes(mesh, objects, links);
        if mesh.joints.is_empty() {
            return;
        }
        objects.push_str("Deformer: 20, \"Deformer::\", \"Skin\" {\nVersion: 101\n}\n");
        links.push_str("C: \"OO\",20,10\n");
        for (index, (node, vertices, weights, bound)) in mesh.joints.iter().enumerate() {
            let id = 21 + index;
            // `Transform` is the mesh's matrix relative to the joint's; the mesh's node is at the origin.
            let inverse = glam::DMat4::from_cols_array(bound).inverse();
            let link = array("Transform", inverse.to_cols_array()) + &array("TransformLink", bound);
            let (vertices, weights) = (array("Indexes", vertices), array("Weights", weights));
            write!(
                objects,
                "Deformer: {id}, \"SubDeformer::\", \"Cluster\" {{\nVersion: 100\n{vertices}{weights}{link}}}\n"
            )
            .unwrap();
            writeln!(links, "C: \"OO\",{id},20\nC: \"OO\",{},{id}", 1000 + node).unwrap();
        }
    }

    fn write_shapes(mesh: &FbxMesh, objects: &mut String, links: &mut String) {
        if mesh.shapes.is_empty() {
            return;
        }
        objects.push_str("Deformer: 15, \"Deformer::\", \"BlendShape\" {\nVersion: 100\n}\n");
        links.push_str("C: \"OO\",15,10\n");
        for (index, shape) in mesh.shapes.iter().enumerate() {
            let id = SHAPES + index;
            let full = array("FullWeights", shape.targets.iter().map(|target| target.0));
            write!(
                objects,
                "Deformer: {id}, \"SubDeformer::{}\", \"BlendShapeChannel\" {{\nVersion: 100\nDeformPercent: {:?}\n{full}}}\n",
                shape.name, shape.percent
            )
            .unwrap();
            writeln!(links, "C: \"OO\",{id},15").unwrap();
            for (target, (_, vertices, offsets)) in shape.targets.iter().enumerate() {
                let own = SHAPES + 100 + index * 10 + target;
                let (vertices, offsets) = (array("Indexes", vertices), array("Vertices", offsets.iter().flatten()));
                write!(
                    objects,
                    "Geometry: {own}, \"Geometry::{}\", \"Shape\" {{\nVersion: 100\n{vertices}{offsets}}}\n",
                    shape.name
                )
                .unwrap();
                writeln!(links, "C: \"OO\",{own},{id}").unwrap();
            }
        }
    }

    fn write_clip(clip: &FbxClip, first: usize, objects: &mut String, links: &mut String) {
        let ticks = |seconds: f64| (seconds * TICKS).round() as i64;
        write!(
            objects,
            "AnimationStack: {first}, \"AnimStack::{}\", \"\" {{\nProperties70: {{\n\
             P: \"LocalStart\", \"KTime\", \"Time\", \"\",0\nP: \"LocalStop\", \"KTime\", \"Time\", \"\",{}\n}}\n}}\n\
             AnimationLayer: {}, \"AnimLayer::Base\", \"\" {{\n}}\n",
            clip.name,
            ticks(clip.length),
            first + 1
        )
        .unwrap();
        writeln!(links, "C: \"OO\",{},{first}", first + 1).unwrap();
        let mut ids = first + 2..;
        let mut next = || ids.next().unwrap_or_default();
        let mut of: std::collections::BTreeMap<(usize, &str), usize> = std::collections::BTreeMap::new();
        for curve in &clip.curves {
            let node = *of.entry((curve.node, curve.property)).or_insert_with(|| {
                let id = next();
                let is_shape = curve.property == "DeformPercent";
                let kind = if is_shape { curve.property } else { &curve.property[4..5] };
                let rest = if kind == "S" { 1 } else { 0 };
                let axes: &[&str] = if is_shape { &["DeformPercent"] } else { &["X", "Y", "Z"] };
                let owner = if is_shape { SHAPES } else { 1000 } + curve.node;
                writeln!(objects, "AnimationCurveNode: {id}, \"AnimCurveNode::{kind}\", \"\" {{\nProperties70: {{")
                    .unwrap();
                for axis in axes {
                    writeln!(objects, "P: \"d|{axis}\", \"Number\", \"\", \"A\",{rest}").unwrap();
                }
                objects.push_str("}\n}\n");
                writeln!(links, "C: \"OO\",{id},{}", first + 1).unwrap();
                writeln!(links, "C: \"OP\",{id},{owner}, \"{}\"", curve.property).unwrap();
                id
            });
            let id = next();
            let times = array("KeyTime", curve.keys.iter().map(|key| ticks(key.0)));
            let values = array("KeyValueFloat", curve.keys.iter().map(|key| key.1));
            let flags = array("KeyAttrFlags", [curve.flags]);
            let data = array("KeyAttrDataFloat", [0, 0, 0, 0]);
            let count = array("KeyAttrRefCount", [curve.keys.len()]);
            write!(
                objects,
                "AnimationCurve: {id}, \"AnimCurve::\", \"\" {{\nDefault: 0\nKeyVer: 4008\n{times}{values}{flags}{data}{count}}}\n"
            )
            .unwrap();
            let is_shape = curve.property == "DeformPercent";
            let axis = if is_shape { curve.property } else { ["X", "Y", "Z"][curve.axis] };
            writeln!(links, "C: \"OP\",{id},{node}, \"d|{axis}\"").unwrap();
        }
    }
}
