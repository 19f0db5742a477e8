//! Makes the grid's uneven triangles even: collapses short edges, flips edges toward a Delaunay triangulation, and
//! moves vertices along the surface toward the middle of their neighbours. [`Shape::edge_length`] gives the wanted
//! length.

use glam::Vec3;

use super::shape::Shape;
use super::surface::Mesh;

/// The number of rounds that only collapse edges, and of the later rounds that also flip edges and move vertices.
const ROUNDS: [usize; 2] = [5, 9];

/// Makes the triangles of a half mesh even. Vertices in the plane x = 0 stay in it.
pub fn remesh(mesh: Mesh, shape: &Shape) -> Mesh {
    let mut work = Work::new(mesh);
    for _ in 0..ROUNDS[0] {
        work.collapse(shape, 0.7);
    }
    for _ in 0..ROUNDS[1] {
        work.collapse(shape, 0.8);
        work.flip();
        work.relax(shape, 1);
    }
    for _ in 0..3 {
        work.flip();
        work.relax(shape, 2);
    }
    work.finish(shape)
}

struct Work {
    positions: Vec<Vec3>,
    /// Triangles; a collapsed one is `None`.
    faces: Vec<Option<[u32; 3]>>,
    /// The faces around each vertex; empty for a removed vertex.
    around: Vec<Vec<u32>>,
}

impl Work {
    fn new(mesh: Mesh) -> Self {
        let mut around = vec![Vec::new(); mesh.positions.len()];
        for (face, triangle) in mesh.triangles.iter().enumerate() {
            for &vertex in triangle {
                around[vertex as usize].push(face as u32);
            }
        }
        Self { positions: mesh.positions, faces: mesh.triangles.into_iter().map(Some).collect(), around }
    }

    fn at(&self, vertex: u32) -> Vec3 {
        self.positions[vertex as usize]
    }

    /// Returns whether a vertex is on the border of the half, the plane x = 0.
    fn on_border(&self, vertex: u32) -> bool {
        self.at(vertex).x == 0.0
    }

    fn faces_of(&self, vertex: u32) -> impl Iterator<Item = (u32, [u32; 3])> + '_ {
        self.around[vertex as usize].iter().filter_map(|&face| Some((face, self.faces[face as usize]?)))
    }

    /// Returns the neighbours of a vertex, without duplicates, in the order of its faces.
    fn neighbours(&self, vertex: u32) -> Vec<u32> {
        let mut all = Vec::with_capacity(8);
        for (_, face) in self.faces_of(vertex) {
            for other in face {
                if other != vertex && !all.contains(&other) {
                    all.push(other);
                }
            }
        }
        all
    }

    fn area_vector(&self, [a, b, c]: [u32; 3]) -> Vec3 {
        (self.at(b) - self.at(a)).cross(self.at(c) - self.at(a))
    }

    fn collapse(&mut self, shape: &Shape, shortest: f32) {
        for keep in 0..self.positions.len() as u32 {
            // A vertex absorbs at most two neighbours a round, so that no neighbourhood collapses at once.
            for _ in 0..2 {
                let target = shape.edge_length(self.at(keep));
                let near = self.neighbours(keep).into_iter().filter(|&other| {
                    self.at(other).distance_squared(self.at(keep)) < (shortest * target) * (shortest * target)
                });
                let mut near: Vec<u32> = near.collect();
                near.sort_by(|&a, &b| {
                    let key = |vertex| self.at(vertex).distance_squared(self.at(keep));
                    key(a).total_cmp(&key(b)).then(a.cmp(&b))
                });
                if !near.into_iter().any(|gone| self.try_collapse(keep, gone, target)) {
                    break;
                }
            }
        }
    }

    /// Merges vertex `gone` into `keep` if the mesh remains a manifold, no face folds, no edge becomes too long and no
    /// vertex gets too few or too many neighbours. Returns whether it merged them.
    fn try_collapse(&mut self, keep: u32, gone: u32, target: f32) -> bool {
        let mut shared = Vec::new();
        let mut changed = Vec::new();
        for (index, face) in self.faces_of(keep).chain(self.faces_of(gone)) {
            match face.contains(&keep) && face.contains(&gone) {
                true if !shared.contains(&index) => shared.push(index),
                false => changed.push((index, face)),
                true => {}
            }
        }
        let (ours, theirs) = (self.neighbours(keep), self.neighbours(gone));
        let common: Vec<u32> = ours.iter().copied().filter(|vertex| theirs.contains(vertex)).collect();
        if common.len() != shared.len() {
            return false;
        }
        let to = match (self.on_border(keep), self.on_border(gone)) {
            (true, true) if shared.len() != 1 => return false,
            (true, false) => self.at(keep),
            (false, true) => self.at(gone),
            _ => (self.at(keep) + self.at(gone)) * 0.5,
        };
        if common.iter().any(|&vertex| self.around[vertex as usize].len() < if self.on_border(vertex) { 3 } else { 5 })
        {
            return false;
        }
        let longest = (1.35 * target) * (1.35 * target);
        let too_long = |&vertex: &u32| self.at(vertex).distance_squared(to) > longest;
        if ours.len() + theirs.len() > 13 || ours.iter().chain(&theirs).any(|v| *v != keep && *v != gone && too_long(v))
        {
            return false;
        }
        let folds = changed.iter().any(|&(_, face)| {
            let moved = face.map(|vertex| if vertex == keep || vertex == gone { to } else { self.at(vertex) });
            let (before, after) = (self.area_vector(face), (moved[1] - moved[0]).cross(moved[2] - moved[0]));
            after.dot(before) <= 0.5 * after.length() * before.length() || after.length_squared() < 1e-16
        });
        if folds {
            return false;
        }
        self.positions[keep as usize] = to;
        for face in shared {
            for vertex in self.faces[face as usize].take().into_iter().flatten() {
                self.around[vertex as usize].retain(|&other| other != face);
            }
        }
        for face in std::mem::take(&mut self.around[gone as usize]) {
            if let Some(triangle) = &mut self.faces[face as usize] {
                *triangle = triangle.map(|vertex| if vertex == gone { keep } else { vertex });
                self.around[keep as usize].push(face);
            }
        }
        true
    }

    /// Flips edges whose two opposite angles add up to more than 180°, unless the flip would fold the surface, repeat
    /// an edge or leave a vertex with too few faces.
    fn flip(&mut self) {
        for index in 0..self.faces.len() as u32 {
            for side in 0..3 {
                let Some(face) = self.faces[index as usize] else { break };
                let (a, b, c) = (face[side], face[(side + 1) % 3], face[(side + 2) % 3]);
                let across = self.faces_of(a).find(|(other, face)| *other != index && face.contains(&b));
                let Some((other, opposite)) = across else { continue };
                let Some(d) = opposite.into_iter().find(|&vertex| vertex != a && vertex != b) else { continue };
                let cotangent = |tip: u32| {
                    let (p, q) = (self.at(a) - self.at(tip), self.at(b) - self.at(tip));
                    p.dot(q) / p.cross(q).length().max(1e-12)
                };
                if cotangent(c) + cotangent(d) > -1e-3 || self.neighbours(c).contains(&d) {
                    continue;
                }
                let few = |vertex: u32| self.around[vertex as usize].len() < if self.on_border(vertex) { 3 } else { 5 };
                if few(a) || few(b) {
                    continue;
                }
                let (first, second) = ([c, a, d], [d, b, c]);
                let before =
                    self.area_vector(face).normalize_or_zero() + self.area_vector(opposite).normalize_or_zero();
                let faces_out = |face| self.area_vector(face).normalize_or_zero().dot(before) > 1.0;
                if !faces_out(first) || !faces_out(second) {
                    continue;
                }
                self.faces[index as usize] = Some(first);
                self.faces[other as usize] = Some(second);
                self.around[a as usize].retain(|&face| face != other);
                self.around[b as usize].retain(|&face| face != index);
                self.around[c as usize].push(other);
                self.around[d as usize].push(index);
            }
        }
    }

    /// Moves vertices toward the middle of their neighbours and back onto the surface. A vertex whose faces would fold
    /// stays.
    fn relax(&mut self, shape: &Shape, rounds: usize) {
        for vertex in 0..self.positions.len() as u32 {
            let mut neighbours = self.neighbours(vertex);
            let border = self.on_border(vertex);
            if border {
                neighbours.retain(|&other| self.on_border(other));
            }
            if neighbours.is_empty() {
                continue;
            }
            let at = self.at(vertex);
            let middle = neighbours.iter().map(|&other| self.at(other)).sum::<Vec3>() / neighbours.len() as f32;
            let normal =
                self.faces_of(vertex).map(|(_, face)| self.area_vector(face)).sum::<Vec3>().normalize_or_zero();
            let pull = (middle - at) * 0.6;
            let mut to = at + pull - normal * pull.dot(normal);
            if border {
                to.x = 0.0;
            }
            to = shape.project(to, rounds);
            let folds = self.faces_of(vertex).any(|(_, face)| {
                let moved = face.map(|other| if other == vertex { to } else { self.at(other) });
                (moved[1] - moved[0]).cross(moved[2] - moved[0]).dot(self.area_vector(face)) <= 0.0
            });
            if !folds && (border || to.x > 1e-4) {
                self.positions[vertex as usize] = to;
            }
        }
    }

    /// Returns the mesh without removed vertices and faces, projected onto the surface.
    fn finish(self, shape: &Shape) -> Mesh {
        let mut mesh = Mesh::default();
        let mut renumbered = vec![u32::MAX; self.positions.len()];
        for face in self.faces.into_iter().flatten() {
            mesh.triangles.push(face.map(|vertex| {
                let number = &mut renumbered[vertex as usize];
                if *number == u32::MAX {
                    *number = mesh.positions.len() as u32;
                    mesh.positions.push(shape.project(self.positions[vertex as usize], 2));
                }
                *number
            }));
        }
        mesh
    }
}
