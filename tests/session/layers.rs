//! Every layer that can be switched on is in the outliner, the timeline, the plots, the palette and the comparison of
//! results.

use egui_kittest::kittest::{Node, Queryable};
use egui_macroquad::egui::Vec2;
use kinescope::scenes::Scene;
use kinescope::session::Selection;
use kinescope::session::commands::Command;
use kinescope::shell::panes::palette;
use kinescope_ik::capsule::Outcome;
use kinescope_ik::stack::{LayerId, MeasureId, Stack};

use crate::common::session::with_motion;
use crate::harness::{run, window};

#[test]
fn an_enabled_layer_is_in_every_pane() {
    let switched: Vec<LayerId> =
        LayerId::single().filter(|layer| layer.switch(&mut Stack::default()).is_some()).collect();
    assert!(!switched.is_empty());
    for layer in switched {
        let mut harness = window(Vec2::new(1600.0, 1800.0));
        let session = &mut harness.state_mut().session;
        session.start_scene(Scene::find("feet that stay").unwrap());
        if layer == LayerId::Retarget {
            with_motion(session);
        }
        let mut stack = session.world.stack().clone();
        *layer.switch(&mut stack).unwrap() = true;
        session.edit_stack("a layer on", None, stack);
        for _ in 0..60 {
            session.update(1.0 / 60.0);
        }
        harness.run();

        let label = layer.label();
        let is_row = |node: &Node<'_>| {
            let own = node.label().unwrap_or_default();
            own.starts_with("layer ") && own.ends_with(&label)
        };
        harness.get_by(is_row).click();
        harness.run();
        assert_eq!(harness.state().session.focus(), layer);

        let key = harness.state().session.world.solved.run(layer).unwrap().step(0).key;
        assert!(harness.query_all_by_label(&format!("step 1 {key}")).count() > 0, "{label}: {key}");

        run(&mut harness, Command::Plots);
        harness.run();
        let measures = harness.state().session.world.solved.measures();
        let own = measures.iter().find(|measure| matches!(&measure.id, MeasureId::Of(of, _) if *of == layer)).unwrap();
        assert!(harness.query_all_by_label(own.view.family).count() > 0, "{label}: {}", own.view.family);

        let settings = palette::settings(&harness.state().session);
        for field in layer.fields() {
            let found = settings.iter().find(|own| own.field == *field && own.owner == label);
            assert!(found.is_some(), "{label}: {}", field.key);
        }
        if layer.has_own_section() {
            harness.state_mut().session.apply(kinescope::session::Action::Select(Selection::Layer(layer)));
            harness.run();
            let first = kinescope_ik::key::label(layer.parameters()[0].key);
            assert!(harness.query_all_by_label(&first).count() > 0, "{label}: {first}");
        }

        // A frame without the layer counts as a change of this layer.
        let frame = harness.state().session.world.solved.clone();
        let mut without = (*frame).clone();
        without.layers.retain(|own| own.id != layer);
        let change = Outcome::of(&frame).change(&without);
        assert_eq!(change.map(|(of, _, distance)| (of, distance)), Some((layer, f32::INFINITY)), "{label}");
    }
}
