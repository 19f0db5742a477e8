#!/usr/bin/env python3
"""Writes a .glb with one skinned mesh as ASCII FBX, in centimetres: fbx.py MODEL.glb OUT.fbx

screenshots/make opens the result, because the built-in characters are .glb files.
"""
import json
import math
import struct
import sys

TICKS = 46_186_158_000  # FBX time per second
PATHS = {"translation": "Lcl Translation", "rotation": "Lcl Rotation"}


class Glb:
    def __init__(self, path):
        data = open(path, "rb").read()
        size = struct.unpack_from("<I", data, 12)[0]
        self.root, self.bytes = json.loads(data[20 : 20 + size]), data[28 + size :]

    def read(self, index):
        """Returns the values of an accessor, one list per element."""
        own = self.root["accessors"][index]
        view = self.root["bufferViews"][own["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[own["type"]]
        kind = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[own["componentType"]]
        count, start = own["count"], view.get("byteOffset", 0) + own.get("byteOffset", 0)
        flat = struct.unpack_from(f"<{count * width}{kind}", self.bytes, start)
        return [list(flat[at : at + width]) for at in range(0, len(flat), width)]


def euler(quaternion):
    """Returns the angles in degrees of a rotation about x, then y, then z."""
    x, y, z, w = quaternion
    sine = max(-1.0, min(1.0, 2 * (w * y - x * z)))
    about = math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
    last = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    return [math.degrees(about), math.degrees(math.asin(sine)), math.degrees(last)]


def values(path, keys):
    """Returns the keys of a path in centimetres or degrees, without jumps of 360 degrees."""
    if path == "translation":
        return [[part * 100 for part in key] for key in keys]
    angles = [euler(key) for key in keys]
    for before, key in zip(angles, angles[1:]):
        for axis in range(3):
            key[axis] += 360 * round((before[axis] - key[axis]) / 360)
    return angles


def inverse(m):
    """Returns the inverse of a rotation with a translation. Both matrices are 4×4, column by column."""
    turned = [m[0], m[4], m[8], 0, m[1], m[5], m[9], 0, m[2], m[6], m[10], 0]
    at = [-sum(m[12 + row] * m[4 * column + row] for row in range(3)) for column in range(3)]
    return turned + at + [1]


def centimetres(matrix):
    return matrix[:12] + [part * 100 for part in matrix[12:15]] + [1]


def array(name, numbers):
    numbers = list(numbers)
    return f"{name}: *{len(numbers)} {{\na: {','.join(f'{number:.7g}' if isinstance(number, float) else str(number) for number in numbers)}\n}}\n"


class Fbx:
    def __init__(self, glb):
        self.glb, self.root, self.objects, self.links, self.last = glb, glb.root, [], [], 100_000
        self.nodes()
        self.mesh()
        for animation in self.root["animations"]:
            self.clip(animation)

    def add(self, kind, name, subtype, body):
        self.last += 1
        self.objects.append(f'{kind}: {self.last}, "{name}", "{subtype}" {{\n{body}}}\n')
        return self.last

    def link(self, child, parent, name=None):
        self.links.append(f'C: "O{"P" if name else "O"}",{child},{parent}' + (f', "{name}"' if name else ""))

    def nodes(self):
        self.ids = []
        for node in self.root["nodes"]:
            at = [part * 100 for part in node.get("translation", [0, 0, 0])]
            turn = euler(node.get("rotation", [0, 0, 0, 1]))
            lines = "".join(
                f'P: "{name}", "{name}", "", "A",{",".join(map(str, own))}\n'
                for name, own in [("Lcl Translation", at), ("Lcl Rotation", turn)]
            )
            kind = "Mesh" if "mesh" in node else "LimbNode"
            self.ids.append(self.add("Model", f"Model::{node['name']}", kind, f"Version: 232\nProperties70: {{\n{lines}}}\n"))
        for own, node in zip(self.ids, self.root["nodes"]):
            for child in node.get("children", []):
                self.link(self.ids[child], own)
        for node in self.root["scenes"][0]["nodes"]:
            self.link(self.ids[node], 0)

    def mesh(self):
        read, part = self.glb.read, self.root["meshes"][0]["primitives"][0]
        positions, corners = read(part["attributes"]["POSITION"]), [index for [index] in read(part["indices"])]
        faces = [~corner if at % 3 == 2 else corner for at, corner in enumerate(corners)]
        normals = read(part["attributes"]["NORMAL"])
        layer = (
            'LayerElementNormal: 0 {\nVersion: 101\nMappingInformationType: "ByVertice"\n'
            'ReferenceInformationType: "Direct"\n' + array("Normals", (part for normal in normals for part in normal)) + "}\n"
        )
        points = array("Vertices", (part * 100 for position in positions for part in position))
        geometry = self.add("Geometry", "Geometry::body", "Mesh", points + array("PolygonVertexIndex", faces) + layer)
        owner = next(own for own, node in zip(self.ids, self.root["nodes"]) if "mesh" in node)
        self.link(geometry, owner)
        colour = ",".join(map(str, self.root["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"][:3]))
        colour = f'Version: 102\nShadingModel: "lambert"\nProperties70: {{\nP: "DiffuseColor", "Color", "", "A",{colour}\n}}\n'
        self.link(self.add("Material", "Material::body", "", colour), owner)
        skin, own = self.add("Deformer", "Deformer::", "Skin", "Version: 101\n"), self.root["skins"][0]
        self.link(skin, geometry)
        moved = [([], []) for _ in own["joints"]]
        for vertex, (joints, weights) in enumerate(
            zip(read(part["attributes"]["JOINTS_0"]), read(part["attributes"]["WEIGHTS_0"]))
        ):
            for joint, weight in zip(joints, weights):
                if weight > 0:
                    moved[joint][0].append(vertex)
                    moved[joint][1].append(weight)
        for joint, matrix, (vertices, weights) in zip(own["joints"], read(own["inverseBindMatrices"]), moved):
            bound = centimetres(matrix)
            body = array("Indexes", vertices) + array("Weights", weights) if vertices else ""
            body += array("Transform", bound) + array("TransformLink", inverse(bound))
            cluster = self.add("Deformer", "SubDeformer::", "Cluster", f"Version: 100\n{body}")
            self.link(cluster, skin)
            self.link(self.ids[joint], cluster)

    def clip(self, animation):
        read, samplers = self.glb.read, animation["samplers"]
        length = max(time for sampler in samplers for [time] in read(sampler["input"]))
        span = "".join(
            f'P: "{name}", "KTime", "Time", "",{ticks}\n'
            for name, ticks in [("LocalStart", 0), ("LocalStop", round(length * TICKS))]
        )
        stack = self.add("AnimationStack", f"AnimStack::{animation['name']}", "", f"Properties70: {{\n{span}}}\n")
        layer = self.add("AnimationLayer", "AnimLayer::base", "", "")
        self.link(layer, stack)
        for channel in animation["channels"]:
            sampler, target = samplers[channel["sampler"]], channel["target"]
            times = [round(time * TICKS) for [time] in read(sampler["input"])]
            keys = values(target["path"], read(sampler["output"]))
            node = self.add("AnimationCurveNode", "AnimCurveNode::", "", "")
            self.link(node, layer)
            self.link(node, self.ids[target["node"]], PATHS[target["path"]])
            for axis, letter in enumerate("XYZ"):
                body = "Default: 0\nKeyVer: 4008\n" + array("KeyTime", times)
                body += array("KeyValueFloat", (key[axis] for key in keys)) + array("KeyAttrFlags", [4])
                body += array("KeyAttrDataFloat", [0] * 4) + array("KeyAttrRefCount", [len(keys)])
                self.link(self.add("AnimationCurve", "AnimCurve::", "", body), node, f"d|{letter}")

    def text(self):
        axes = [("UpAxis", 1), ("UpAxisSign", 1), ("FrontAxis", 2), ("FrontAxisSign", 1), ("CoordAxis", 0), ("CoordAxisSign", 1)]
        settings = "".join(f'P: "{name}", "int", "Integer", "",{number}\n' for name, number in axes)
        settings += 'P: "UnitScaleFactor", "double", "Number", "",1\n'
        return (
            "; FBX 7.4.0 project file\nFBXHeaderExtension: {\nFBXHeaderVersion: 1003\nFBXVersion: 7400\n"
            'Creator: "screenshots/fbx.py"\n}\n'
            f"GlobalSettings: {{\nVersion: 1000\nProperties70: {{\n{settings}}}\n}}\n"
            f"Objects: {{\n{''.join(self.objects)}}}\nConnections: {{\n" + "\n".join(self.links) + "\n}\n"
        )


if __name__ == "__main__":
    model, out = sys.argv[1:]
    text = Fbx(Glb(model)).text()
    open(out, "w").write(text)
