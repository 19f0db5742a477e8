"""Kinescope from Python: `python3 -m unittest` in this folder, once the C library is built."""

import ctypes
import json
import math
import os
import re
import socket
import tempfile
import threading
import unittest

import kinescope
from person import BONES

HERE = os.path.dirname(os.path.abspath(__file__))
NAMES = [name for name, _, _ in BONES]
PARENTS = [parent for _, parent, _ in BONES]
STANDING = [(*place, 0, 0, 0, 1) for _, _, place in BONES]


def reaching():
    settings = kinescope.Settings()
    settings.effector("left_hand").aim((0.5, 1.3, 0.45))
    return settings


class Solving(unittest.TestCase):
    def test_a_hand_out_of_reach_takes_the_body_along(self):
        solver = kinescope.Solver(NAMES, PARENTS, STANDING)
        pose = solver.solve(STANDING, reaching())
        self.assertLess(math.dist(pose[6][:3], (0.5, 1.3, 0.45)), 0.01)
        self.assertEqual(solver.bone_of("left_hand"), 6)
        self.assertIsNone(solver.bone_of("left_clavicle"))
        self.assertEqual(sorted(solver.written_bones()), list(range(16)))

    def test_steps_are_the_solve(self):
        biped = dict(pelvis=0, spine=[1, 2], head=3, left_arm=[4, 5, 6], right_arm=[7, 8, 9])
        biped |= dict(left_leg=[10, 11, 12], right_leg=[13, 14, 15])
        solver = kinescope.Solver(NAMES, PARENTS, STANDING, biped)
        pose, steps = solver.solve_and_steps(STANDING, reaching())
        self.assertEqual(pose, solver.solve(STANDING, reaching()))
        self.assertEqual((len(steps), steps[0].stage, steps[-1].stage), (35, "read", "bend"))
        self.assertEqual(steps[1].iteration, 0)
        # The moves of a stage lead from the nodes before it to the nodes after it.
        for before, step in zip(steps, steps[1:]):
            places = dict(before.nodes)
            for move in step.moves:
                self.assertEqual(places[move.node], move.start)
                places[move.node] = move.end
            self.assertEqual(places, step.nodes)

    def test_what_cannot_be_is_an_error_with_a_reason(self):
        solver = kinescope.Solver(NAMES, PARENTS, STANDING)
        broken = [list(bone) for bone in STANDING]
        broken[4][1] = math.nan
        with self.assertRaisesRegex(kinescope.Error, r"pose\[4\]"):
            solver.solve(broken, reaching())
        broken = [list(bone) for bone in STANDING]
        broken[4][3:] = [0.9 * number for number in broken[4][3:]]
        with self.assertRaisesRegex(kinescope.Error, f'bone "{NAMES[4]}": has length 0.9'):
            solver.solve(broken, reaching())
        with self.assertRaisesRegex(kinescope.Error, "has 3 bones"):
            solver.solve(STANDING[:3], reaching())
        with self.assertRaisesRegex(ValueError, "bone 0 has 3 numbers"):
            solver.solve([(0, 0, 0)], reaching())
        with self.assertRaisesRegex(ValueError, "tail"):
            reaching().effector("tail")
        with self.assertRaises(kinescope.Error):
            kinescope.Solver(NAMES[:5], PARENTS[:5], STANDING[:5])
        with self.assertRaisesRegex(ValueError, r"parents\[1\] is 4294967296"):
            kinescope.Solver(NAMES, [-1, 1 << 32, *PARENTS[2:]], STANDING)
        with self.assertRaisesRegex(ValueError, "contains a zero"):
            kinescope.Solver(["pel\0vis", *NAMES[1:]], PARENTS, STANDING)
        # Other types and unknown fields are errors.
        for wrong in (kinescope.Quat(), None, {}):
            with self.assertRaisesRegex(TypeError, "not a kinescope.Settings"):
                solver.solve(STANDING, wrong)
        settings = kinescope.Settings()
        with self.assertRaisesRegex(AttributeError, "position_wieght"):
            settings.effector("left_hand").position_wieght = 1
        with self.assertRaisesRegex(AttributeError, "iterations"):
            settings.iterations = 2
        with self.assertRaisesRegex(ValueError, "spine_iterations is 4294967299"):
            settings.solver.spine_iterations = (1 << 32) + 3
        with self.assertRaisesRegex(ValueError, "has 2 numbers; a Vec3 has 3"):
            settings.effector("left_hand").aim((1, 2))
        with self.assertRaisesRegex(TypeError, "is not a text"):
            kinescope.Settings.from_preset(None)
        settings.chain("left_arm").pull = 2
        with self.assertRaisesRegex(kinescope.Error, r"chains.left_arm.pull: is 2"):
            settings.validate()

    def test_presets_go_both_ways(self):
        settings = reaching()
        settings.chain("right_leg").bend_to((0, 0.5, 1), 0.75)
        settings.chain("left_arm").push_smoothing = kinescope.SMOOTHINGS.index("cubic")
        settings.chain("left_leg").clamp_smoothing = 2
        text = settings.to_preset()
        self.assertEqual(json.loads(text)["chains"]["left_leg"]["clamp_smoothing"], 2)
        self.assertEqual(json.loads(text)["chains"]["right_leg"]["bend_weight"], 0.75)
        self.assertEqual(bytes(kinescope.Settings.from_preset(text)), bytes(settings))
        with self.assertRaisesRegex(kinescope.Error, "line 1"):
            kinescope.Settings.from_preset("nonsense")


class Recording(unittest.TestCase):
    def setUp(self):
        self.solver = kinescope.Solver(NAMES, PARENTS, STANDING)
        self.game = kinescope.Game("a test", {"player": self.solver})

    def test_a_recording_has_what_was_recorded(self):
        pose, steps = self.solver.solve_and_steps(STANDING, reaching())
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "session.jsonl")
            with kinescope.Recorder(self.game, path) as recorder:
                for index in range(3):
                    recorder.frame("player", index / 60, STANDING, reaching(), pose, steps)
                recorder.mark("jump", 0.05)
                broken = [list(bone) for bone in STANDING]
                broken[4][1] = math.nan
                with self.assertRaisesRegex(kinescope.Error, r"animated\[4\]"):
                    recorder.frame("player", 1, broken)
                with self.assertRaisesRegex(ValueError, "guard"):
                    recorder.frame("guard", 1, STANDING)
            with open(path, encoding="utf-8") as file:
                lines = [json.loads(line) for line in file]
        self.assertEqual(lines[0]["format"], "kinescope-recording")
        self.assertEqual([line.get("frame") for line in lines[1:]], [0, 1, 2, None])
        self.assertEqual(len(lines[1]["steps"]), 35)
        with self.assertRaises(kinescope.Error):
            kinescope.Recorder(self.game, "/nowhere/at all.jsonl")

    def test_a_window_hears_and_tunes(self):
        listener = socket.create_server(("127.0.0.1", 0))
        received = []

        def window():
            connection, _ = listener.accept()
            with connection, connection.makefile("rw", encoding="utf-8") as stream:
                parameters = {"solver": {}, "chains": {"left_arm": {"pull": 0.25}}, "effectors": {}}
                stream.write('{"kinescope":1}\n' + json.dumps({"character": "player", "parameters": parameters}) + "\n")
                stream.flush()
                received.extend(json.loads(line) for line in stream)

        thread = threading.Thread(target=window)
        thread.start()
        with kinescope.Sender(self.game, "127.0.0.1:%d" % listener.getsockname()[1]) as sender:
            while not sender.send("player", 0.5, STANDING, reaching(), frame=7):
                pass
            tuned = None
            while tuned is None:
                tuned = sender.tuned()
            self.assertEqual((tuned[0], tuned[1].chain("left_arm").pull), ("player", 0.25))
            self.assertTrue(sender.is_connected())
        thread.join()
        listener.close()
        self.assertEqual([line.get("frame") for line in received], [None, 7])


class Layout(unittest.TestCase):
    """Checks the structures against the header."""

    def test_names_are_those_of_the_library(self):
        kinds = {"node": kinescope.NODES, "effector": kinescope.EFFECTORS, "limb": kinescope.LIMBS, "stage": kinescope.STAGES}
        for kind, names in kinds.items():
            for number, name in enumerate((*names, None)):
                own = kinescope._library.kinescope_name_of(kind.encode(), number)
                self.assertEqual(None if own is None else own.decode(), name)

    def test_fields_are_those_of_the_header(self):
        with open(os.path.join(HERE, "..", "c", "include", "kinescope.h"), encoding="utf-8") as file:
            header = file.read()
        structures = {
            "KinescopeSolverSettings": kinescope.SolverSettings,
            "KinescopeChainSettings": kinescope.ChainSettings,
            "KinescopeEffectorSettings": kinescope.EffectorSettings,
            "KinescopeSettings": kinescope.Settings,
            "KinescopePose": kinescope._Pose,
            "KinescopeBiped": kinescope._Biped,
            "KinescopeSkeleton": kinescope._Skeleton,
            "KinescopeFrame": kinescope._Frame,
            "KinescopeStep": kinescope._Step,
        }
        kinds = {"float": ctypes.c_float, "uint32_t": ctypes.c_uint32, "int32_t": ctypes.c_int32}
        kinds |= {"int64_t": ctypes.c_int64, "double": ctypes.c_double, "size_t": ctypes.c_size_t}
        for name, own in structures.items():
            body = re.search(r"typedef struct %s \{(.*?)\n\} %s;" % (name, name), header, re.S).group(1)
            fields = re.findall(r"^    (?!//)(.*?)\b(\w+)((?:\[\w+\])?);$", body, re.M)
            self.assertEqual([field for _, field, _ in fields], [field for field, _ in own._fields_], name)
            for (kind, field, count), (_, type_) in zip(fields, own._fields_):
                if kind.strip() in kinds and not count:
                    self.assertIs(type_, kinds[kind.strip()], f"{name}.{field}")


if __name__ == "__main__":
    unittest.main()
