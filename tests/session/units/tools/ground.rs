mod picture {
    use kinescope::tools::ground::picture::spacing;

    #[test]
    fn the_grid_fits_any_size() {
        assert_eq!(spacing(1.8), 0.25);
        assert_eq!(spacing(180.0), 25.0);
        for height in [0.02, 0.3, 4.5, 1000.0] {
            assert!((3.0..15.0).contains(&(height / spacing(height))), "{height}");
        }
    }
}

mod terrain {
    use std::sync::Arc;

    use glam::{Vec2, Vec3};
    use macroquad::models::{Mesh, Vertex};

    use kinescope::picture::LARGEST_CALL;
    use kinescope::tools::ground::terrain::{COARSE, LINE, Look, SPACING, TILE, TerrainMesh, Tile, boxes_mesh, shaded};
    use kinescope::ui::theme::{DARK, LIGHT, Theme};
    use kinescope_ik::terrain::Terrain;

    fn built(terrain: Terrain, theme: &Theme, focus: Vec3) -> TerrainMesh {
        let mut mesh = TerrainMesh::new();
        mesh.update(&Arc::new(terrain), theme, focus);
        mesh
    }

    fn tiles_of(mesh: &TerrainMesh) -> &[Tile] {
        &mesh.built.as_ref().unwrap().tiles
    }

    fn check(mesh: &Mesh) {
        assert!(mesh.vertices.len() <= LARGEST_CALL && mesh.indices.len() <= 3 * LARGEST_CALL);
        assert!(!mesh.indices.is_empty() && mesh.indices.len().is_multiple_of(3));
        assert!(mesh.indices.iter().all(|&index| usize::from(index) < mesh.vertices.len()));
        assert!(mesh.vertices.iter().all(|vertex| vertex.position.is_finite() && vertex.color[3] > 0));
    }

    fn rough(columns: usize, rows: usize, side: f32) -> Terrain {
        let height = |index: usize| (index.wrapping_mul(2_654_435_761) >> 7) as u16 as f32 / 65_536.0;
        let heights = (0..columns * rows).map(height).collect();
        Terrain { size: Vec2::splat(side), columns, rows, heights, ..Terrain::default() }
    }

    fn facets(mesh: &Mesh) -> impl Iterator<Item = [Vec3; 3]> {
        let at = |index: u16| Vec3::from_array(mesh.vertices[usize::from(index)].position.to_array());
        let is_facet = |indices: &&[u16]| mesh.vertices[usize::from(indices[0])].color[3] == 255;
        mesh.indices.chunks_exact(3).filter(is_facet).map(move |indices| [0, 1, 2].map(|corner| at(indices[corner])))
    }

    #[test]
    fn every_preset_is_drawn_whole_in_both_themes() {
        for (name, preset) in Terrain::presets() {
            for theme in [&DARK, &LIGHT] {
                let terrain = preset();
                let mesh = built(terrain.clone(), theme, Vec3::ZERO);
                let mut area = 0.0;
                for tile in tiles_of(&mesh) {
                    check(&tile.mesh);
                    for [a, b, c] in facets(&tile.mesh) {
                        // The area is the one seen from above. Skirts have none.
                        area += 0.5 * (b - a).cross(c - a).y;
                    }
                }
                let whole = terrain.size.x * terrain.size.y;
                assert!((area - whole).abs() < 1e-3 * whole, "{name}: {area} of {whole}");
                let surface = terrain.at(0.5).unwrap();
                if !surface.boxes().is_empty() {
                    check(&boxes_mesh(surface.boxes(), &mesh.built.as_ref().unwrap().look));
                }
            }
        }
    }

    #[test]
    fn lines_lie_on_the_ground_half_a_metre_apart() {
        for terrain in [Terrain::hills(), Terrain::stairs(0.17, 0.3), Terrain::default()] {
            let mesh = built(terrain.clone(), &DARK, Vec3::ZERO);
            let mut seen = 0;
            for vertex in tiles_of(&mesh).iter().flat_map(|tile| &tile.mesh.vertices) {
                if vertex.color[3] == 255 {
                    continue;
                }
                seen += 1;
                let at = vertex.position;
                let over = at.y - terrain.height_at(at.x, at.z).unwrap();
                assert!((over - LINE).abs() < 1e-4, "{at} {over}");
                let off = |at: f32| (at - (at / SPACING).round() * SPACING).abs();
                assert!(off(at.x) < LINE * 1.1 || off(at.z) < LINE * 1.1, "{at}");
            }
            assert!(seen > 2 * 2 * 20, "{seen}");
        }
        // On flat ground each line needs only its ends. There are two directions with 21 lines each, and two vertices at
        // each end.
        let flat = built(Terrain::default(), &DARK, Vec3::ZERO);
        let on_lines = |vertex: &&Vertex| vertex.color[3] < 255;
        assert_eq!(tiles_of(&flat)[0].mesh.vertices.iter().filter(on_lines).count(), 2 * 21 * 2 * 2);
    }

    #[test]
    fn steps_and_heights_are_told_apart() {
        let mesh = built(Terrain::stairs(0.17, 0.3), &DARK, Vec3::ZERO);
        let look = &mesh.built.as_ref().unwrap().look;
        let [floor, riser, slope] = [Vec3::Y, Vec3::NEG_Z, Vec3::new(0.0, 0.8, -0.6)].map(|n| look.shade(n, 0.0));
        assert!(floor > slope + 10 && slope > riser + 10, "{floor} {slope} {riser}");
        assert!(look.shade(Vec3::Y, look.height) > floor + 5);
        let bright = |color: [f32; 3], shade| u32::from(shaded(color, shade)[1]);
        for theme in [&DARK, &LIGHT] {
            let look = Look::new(&Terrain::flat(), theme);
            let ground = bright(look.ground, look.shade(Vec3::Y, 0.0));
            assert!(ground + 15 < u32::from(theme.solid_body.g()), "{ground}");
            assert!(theme.is_light || ground > u32::from(theme.picture_top.g()) + 40, "{ground}");
        }
    }

    #[test]
    fn the_largest_terrain_has_few_vertices_and_detail_where_one_looks() {
        let mut mesh = TerrainMesh::new();
        let terrain = Arc::new(rough(1025, 1025, 102.4));
        mesh.update(&terrain, &DARK, Vec3::ZERO);
        let tiles = tiles_of(&mesh);
        assert_eq!(tiles.len(), 256);
        tiles.iter().for_each(|tile| check(&tile.mesh));
        // The tile nearest to the focus has two facets for each cell.
        assert!(facets(&tiles[0].mesh).count() >= 2 * TILE * TILE);
        let all: usize = tiles.iter().map(|tile| tile.mesh.vertices.len()).sum();
        assert!(all < 1_000_000, "{all}");

        let detail = |mesh: &TerrainMesh, at: Vec3| {
            let near = |tile: &&Tile| {
                let corner = |column, row| terrain.point(row * terrain.columns + column).unwrap();
                let low = corner(tile.columns.start, tile.rows.start);
                let high = corner(tile.columns.end, tile.rows.end);
                (low.x..high.x).contains(&at.x) && (low.z..high.z).contains(&at.z)
            };
            tiles_of(mesh).iter().find(near).unwrap().stride
        };
        let away = Vec3::new(45.0, 0.0, -45.0);
        assert_eq!((detail(&mesh, Vec3::new(1.0, 0.0, 1.0)), detail(&mesh, away)), (1, COARSE));
        mesh.update(&terrain, &DARK, away);
        assert_eq!((detail(&mesh, Vec3::new(1.0, 0.0, 1.0)), detail(&mesh, away)), (COARSE, 1));
    }

    #[test]
    fn sizes_at_their_limits_fit_a_call() {
        for (columns, rows, side) in [(2, 2, 0.1), (2, 2, 10_000.0), (65, 66, 10_000.0), (2, 1025, 600.0)] {
            let mesh = built(rough(columns, rows, side), &LIGHT, Vec3::splat(f32::NAN));
            tiles_of(&mesh).iter().for_each(|tile| check(&tile.mesh));
        }
        let wrong = Terrain { heights: vec![0.0; 3], ..Terrain::default() };
        assert!(tiles_of(&built(wrong, &DARK, Vec3::ZERO)).is_empty());
    }

    #[test]
    fn it_is_built_again_only_for_another_terrain_or_theme() {
        let mut mesh = TerrainMesh::new();
        let terrain = Arc::new(Terrain::hills());
        mesh.update(&terrain, &DARK, Vec3::ZERO);
        let place = |mesh: &TerrainMesh| tiles_of(mesh)[0].mesh.vertices.as_ptr();
        let (before, color) = (place(&mesh), tiles_of(&mesh)[0].mesh.vertices[0].color);
        mesh.update(&terrain, &DARK, Vec3::X);
        assert_eq!(place(&mesh), before);
        mesh.update(&terrain, &LIGHT, Vec3::ZERO);
        assert_ne!(tiles_of(&mesh)[0].mesh.vertices[0].color, color);
        mesh.update(&Arc::new(Terrain::flat()), &LIGHT, Vec3::ZERO);
        let heights = tiles_of(&mesh)[0].mesh.vertices.iter().map(|vertex| vertex.position.y);
        assert!(heights.fold(0.0, f32::max) < 0.1);
    }
}
