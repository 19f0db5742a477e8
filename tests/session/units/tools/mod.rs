//! Tests of `src/tools`.

mod game;
mod ground;
mod pose;
mod steps;

mod body_lab {
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpStream;
    use std::time::Duration;

    use kinescope::character::Character;
    use kinescope::session::{Action, Session};
    use kinescope::tools::body_lab::outside::solvers_of;
    use kinescope::tools::body_lab::session::BodyLabAction;

    fn connected(session: &Session) -> TcpStream {
        let mut stream =
            TcpStream::connect(session.tools.games.connection.listening().unwrap().listener.address).unwrap();
        stream.write_all(b"{\"format\":\"kinescope-solver\",\"version\":1,\"name\":\"mink\"}\n").unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        until(|| !solvers_of(session).is_empty());
        stream
    }

    fn until(holds: impl Fn() -> bool) {
        while !holds() {
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_solver_that_connects_again_between_two_frames_is_asked() {
        let mut session = Session::new(Character::built_in().unwrap());
        session.listen("127.0.0.1:0");
        session.apply(Action::BodyLab(BodyLabAction::AddForeign("mink".to_owned())));
        session.update(1.0 / 60.0);
        session.pause();
        let stream = connected(&session);
        session.update(0.0);
        drop(stream);
        until(|| solvers_of(&session).is_empty());
        let stream = connected(&session);
        session.update(0.0);
        assert_eq!(session.window.notice.as_ref().unwrap().text, "Solver mink connected");
        let mut lines = BufReader::new(stream).lines().map(Result::unwrap);
        assert!(["metres_per_unit", "targets"].iter().all(|field| lines.any(|line| line.contains(field))));
    }
}

mod chains {
    use kinescope::character::Character;
    use kinescope::tools::chains::{ChainHandle, suggestions};
    use kinescope_ik::stack::LayerId;

    #[test]
    fn the_built_in_biped_has_chains_to_try() {
        let character = Character::built_in().unwrap();
        let names: Vec<String> = suggestions(&character).into_iter().map(|(name, _)| name).collect();
        for expected in ["spine", "left arm", "right leg"] {
            assert!(names.iter().any(|name| name == expected), "{names:?}");
        }
    }

    #[test]
    fn handles_count_lanes_from_one_on_screen() {
        let target = ChainHandle::Target(0);
        assert_eq!(target.key(LayerId::Lane(1)), "lane_1_target");
        assert_eq!(target.name(LayerId::Lane(1)), "lane 2 target");
        assert_eq!(ChainHandle::BendGoal.name(LayerId::Chain(0)), "chain 1 bend goal");
    }
}

mod compare {
    use std::sync::Arc;

    use kinescope::character::Character;
    use kinescope::session::rig_of;
    use kinescope::tools::compare::report::Solvers;
    use kinescope_ik::game_recording::{GameCharacter, MOST_CHARACTERS};
    use kinescope_ik::trace::Rig;

    #[test]
    fn solvers_of_all_characters_that_are_present_are_kept() {
        let Rig { skeleton, biped, reference, .. } = rig_of(&Character::built_in().unwrap(), &[]).unwrap();
        let one = Arc::new(GameCharacter { name: "one".to_owned(), skeleton, biped, reference });
        let other = Arc::new(GameCharacter { name: "other".to_owned(), ..GameCharacter::clone(&one) });
        let mut solvers = Solvers::default();
        for _ in 0..3 {
            solvers.of(1, &one).unwrap();
            solvers.of(1 + MOST_CHARACTERS, &other).unwrap();
        }
        assert_eq!(solvers.made, 2);
        // Another game's character with index 1: its solver replaces that of the earlier character with this index.
        solvers.of(1, &other).unwrap();
        assert_eq!((solvers.made, solvers.by_character.len()), (3, 2));
        // Beyond the limit, the least recently used solver is dropped.
        (1000..998 + MOST_CHARACTERS).for_each(|index| drop(solvers.of(index, &one)));
        assert_eq!(solvers.by_character.len(), MOST_CHARACTERS);
        solvers.of(1, &other).unwrap();
        let made = solvers.made;
        solvers.of(9999, &one).unwrap();
        solvers.of(1, &other).unwrap();
        assert_eq!((solvers.made, solvers.by_character.len()), (made + 1, MOST_CHARACTERS));
        assert!(!solvers.by_character.contains_key(&(1 + MOST_CHARACTERS)));
    }
}

mod jerk {
    use glam::Vec3;

    use kinescope::tools::jerk::Jerk;

    #[test]
    fn jerk_is_zero_for_even_motion_and_the_change_of_the_step_otherwise() {
        let mut motion = Jerk::default();
        for x in [0.0, 1.0, 2.0, 3.0] {
            motion.add(&[Vec3::X * x]);
        }
        assert_eq!((motion.root_mean_square(), motion.samples), (0.0, 2));
        motion.add(&[Vec3::X * 4.5]);
        // Two steps without a change and one that is longer by 0.5.
        assert!((motion.root_mean_square() - (0.25f32 / 3.0).sqrt()).abs() < 1e-6, "{}", motion.root_mean_square());
    }
}

mod learn {
    use kinescope::tools::learn::links::page_of_step;
    use kinescope_ik::stack::LayerId;

    #[test]
    fn every_layer_has_a_page() {
        let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs");
        for layer in LayerId::single() {
            let page = page_of_step(layer, "no such step");
            assert!(book.join(page.as_ref()).exists(), "{}: {page}", layer.label());
        }
    }
}
