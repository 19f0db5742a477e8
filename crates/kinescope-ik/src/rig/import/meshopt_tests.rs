//! Unpacks data that meshoptimizer packed: a release 0.2x, or release 1.3 for version 1 of the vertex format.

use serde_json::json;

use super::unpack;

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
}

const TRIANGLES: &str = "e1fe0dfe13fe12fe12fe12fe0dfe03fe02fe02fe02ff0dff03ff02ff02ff02ff0dff03ff02ff02ff02fffe5fff0f0ef304f202f202f202af04af04af02af02af02af090eaf090eaf0b0eaf0b0eaf0b0eaf090eaf090eaf0b0eaf0b0eaf0b0eff003922fd1b03ff020000007687566778a9866589689801690000";
const INDICES: &str = "d1000404200406d10f031604f5fb100e00000000";
const ROWS: &str = "a007004a4a4a4a4a4a4a4a4a4a4a4a4a4a4aff0000004a4a4a4a0100020008070002060a0e12161a1e22262a2e32363aff0000003e42464a04800000000700212121212121212121212121212121ff0000002121212107003c3e3e3e3e3e3e3e3e3e3e3e3e3e3eff0000003c3e3e3e00000000000000000000000000000000000000000000000000000000000000000500";
const OCT8: &str =
    "a0013ff000007b21b9affa013ff000006dfa12b91400000000000000000000000000000000000000000000000000000000000067c37f00";
const OCT16: &str = "a0013ff000001e133cc3850137f00000070b1611013ff00000f143d93ea3013ec0000007100b0000000000000000000000000000000000000000000000000000000081062bfcff070000";
const DIRECTIONS: [[f32; 3]; 6] = [
    [0.8319, -0.2983, -0.4679],
    [0.1192, -0.9388, -0.3233],
    [0.2483, 0.0919, 0.9643],
    [-0.8461, 0.2202, 0.4854],
    [0.6841, -0.365, -0.6315],
    [-0.4071, -0.8251, 0.3917],
];
const QUATERNIONS: &str = "a0013fc000006dbf1d73013fc000004f525508013fc00000f39f282b013fc00000212f2c2a013fc000003e8d294a013fc0000019103942012e0000000300000000000000000000000000000000000000000000000000731a14171b06fd1f";
const ROTATIONS: [[f32; 4]; 5] = [
    [-0.135, -0.6165, -0.5845, -0.51],
    [-0.1459, 0.1497, -0.9294, 0.3042],
    [-0.6825, -0.6157, 0.3914, -0.0431],
    [-0.5996, 0.7199, -0.3359, 0.0965],
    [0.1108, 0.7822, -0.2525, 0.5587],
];
const FLOATS: &str = "a0013c000000ffff013c0000007c7b00013c000000100f00013c0000002f4000013c000000100f013c000000dfe0013c00000046520108000000013c000000100f0000000000000000000000000000000000000000000000f4001800f400dcfff4";
/// Vertices in version 1 of the format, with all control modes and all channel modes.
const NEWER: &str = "a1377aaadd00e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4e4152aaaaaaaaaaaaaaaaaaa00000006121e2a36424e5a66727e8a96a2aebac6d2deeaf6020e1a26323e4a56626e7a86929eaab6c2ce280005555555550000003c44cd44df44cd44fc43c44dc45fc44cc53c43c44dc45cc74cc57cc344cd44dc47cc453cc344cc15154545454551515151540000000080020180010201000100c3c3c3c3c1c3c3c3c3c1c3c3c3c1c3c3c3c3c1c3c3c3c3c1c3c3c3c1c3c3c3c3c1c3c3c3c1c3c3152aeaeaea050505eaeaeaea05050505eaea00000505001212121212126b1212121212126b1212121212126b1212121212126b1212121212126b1212121200000000000000000000803f050000000000000001420000";
/// The bytes of a colour, four packed colours, and the same unpacked. The colours of 8 bytes use 12 of 16 bits.
const COLORS: [(usize, &str, &str); 2] = [
    (
        4,
        "a1ff0020ac7f00c2f36800de13b1007d7fbe00000000000000000000000000000000000000407fc1ff00",
        "fe0100ff00804080e6cc1a003333ffbf",
    ),
    (
        8,
        "a1ffff0000cc0000020a070002cc68001110190001ccce000e010b000200010005070a00000000000000000000000000000004ff0701fcff0f0000",
        "efff10000000ffff00000880044008806ee6cccca219000033333333fffffbbf",
    ),
];

#[test]
fn triangles_and_indices() {
    let mut expected: Vec<u32> = Vec::new();
    // A grid of quads. The encoder rotates the corners of some triangles.
    for y in 0..4u32 {
        for x in 0..5 {
            let a = y * 6 + x;
            expected.extend([a, a + 1, a + 7, a, a + 7, a + 6]);
        }
    }
    expected.extend([29, 0, 17, 3, 25, 11, 0, 29, 1, 2, 2, 2]);
    let sorted = |indices: &[u32]| -> Vec<[u32; 3]> {
        let rotated = |t: &[u32]| {
            let least = (0..3).min_by_key(|&at| t[at]).unwrap();
            [0, 1, 2].map(|at| t[(least + at) % 3])
        };
        indices.chunks(3).map(rotated).collect()
    };
    for size in [2, 4] {
        let settings = json!({ "count": expected.len(), "byteStride": size, "mode": "TRIANGLES" });
        let out = unpack(&settings, &bytes(TRIANGLES)).unwrap();
        let read = |row: &[u8]| row.iter().rev().fold(0, |index, &byte| index << 8 | u32::from(byte));
        let out: Vec<u32> = out.chunks(size).map(read).collect();
        assert_eq!(sorted(&out), sorted(&expected));
    }
    let settings = json!({ "count": 12, "byteStride": 4, "mode": "INDICES" });
    let out = unpack(&settings, &bytes(INDICES)).unwrap();
    let out: Vec<u32> = out.chunks(4).map(|row| u32::from_le_bytes(row.try_into().unwrap())).collect();
    assert_eq!(out, [0, 1, 2, 10, 11, 9, 500, 499, 3, 4, 70_000, 0]);
}

fn attributes(count: usize, stride: usize, filter: &str, packed: &str) -> Vec<u8> {
    let settings = json!({ "count": count, "byteStride": stride, "mode": "ATTRIBUTES", "filter": filter });
    unpack(&settings, &bytes(packed)).unwrap()
}

#[test]
fn rows_of_integers() {
    let expected =
        (0..20u32).flat_map(|i| [i * 37, i * i, i * 7919 % 65536, 5].map(|part| (part as u16).to_le_bytes()));
    let expected: Vec<u8> = expected.flatten().collect();
    assert_eq!(attributes(20, 8, "NONE", ROWS), expected);
}

#[test]
fn filters() {
    let eighth = attributes(6, 4, "OCTAHEDRAL", OCT8);
    let sixteenth = attributes(6, 8, "OCTAHEDRAL", OCT16);
    let short = |row: &[u8], at: usize| f32::from(i16::from_le_bytes([row[2 * at], row[2 * at + 1]])) / 32767.0;
    for (at, direction) in DIRECTIONS.iter().enumerate() {
        for (axis, &part) in direction.iter().enumerate() {
            let coarse = f32::from(eighth[at * 4 + axis] as i8) / 127.0;
            assert!((coarse - part).abs() < 0.02, "{at} {axis}: {coarse} not {part}");
            let fine = short(&sixteenth[at * 8..], axis);
            assert!((fine - part).abs() < 2e-3, "{at} {axis}: {fine} not {part}");
        }
    }
    let rotations = attributes(5, 8, "QUATERNION", QUATERNIONS);
    for (row, rotation) in rotations.chunks(8).zip(ROTATIONS) {
        let dot: f32 = (0..4).map(|at| short(row, at) * rotation[at]).sum();
        assert!(dot.abs() > 0.9999, "{dot} of {rotation:?}");
    }
    let floats = attributes(3, 12, "EXPONENTIAL", FLOATS);
    let floats = floats.chunks(4).map(|row| f32::from_le_bytes(row.try_into().unwrap()));
    for (at, (float, expected)) in floats.zip([0.0, 1.5, -2.25, 1000.0, 0.001, -7.0, 3e-5, 2.0, 2.5]).enumerate() {
        let most = [2.25f32, 1000.0, 2.5][at / 3];
        assert!((float - expected).abs() < most * 1e-3, "{float} not {expected}");
    }
}

#[test]
fn damaged_data_is_an_error_or_some_bytes() {
    let kinds = [
        (TRIANGLES, json!({ "count": 132, "byteStride": 2, "mode": "TRIANGLES" })),
        (INDICES, json!({ "count": 12, "byteStride": 4, "mode": "INDICES" })),
        (ROWS, json!({ "count": 20, "byteStride": 8, "mode": "ATTRIBUTES" })),
        (NEWER, json!({ "count": 40, "byteStride": 16, "mode": "ATTRIBUTES" })),
        (COLORS[1].1, json!({ "count": 4, "byteStride": 8, "mode": "ATTRIBUTES", "filter": "COLOR" })),
        (QUATERNIONS, json!({ "count": 5, "byteStride": 8, "mode": "ATTRIBUTES", "filter": "QUATERNION" })),
    ];
    for (packed, settings) in kinds {
        let packed = bytes(packed);
        let size = unpack(&settings, &packed).unwrap().len();
        for end in 0..packed.len() {
            let out = unpack(&settings, &packed[..end]);
            assert!(out.is_err() || out.is_ok_and(|out| out.len() == size));
        }
        assert!(unpack(&settings, &[]).is_err());
        for at in 0..packed.len() {
            for bit in 0..8 {
                let mut broken = packed.clone();
                broken[at] ^= 1 << bit;
                assert!(
                    unpack(&settings, &broken).is_ok_and(|out| out.len() == size)
                        || unpack(&settings, &broken).is_err()
                );
            }
        }
        let mut endless = settings.clone();
        endless["count"] = u64::MAX.into();
        assert!(unpack(&endless, &packed).is_err());
        endless["count"] = 30_000_000.into();
        assert!(unpack(&endless, &packed).is_err());
    }
    for (key, value) in [("mode", json!("LINES")), ("filter", json!("WAVES")), ("byteStride", json!(7))] {
        let mut settings = json!({ "count": 20, "byteStride": 8, "mode": "ATTRIBUTES" });
        settings[key] = value;
        assert!(unpack(&settings, &bytes(ROWS)).is_err(), "{key}");
    }
}

#[test]
fn rows_and_colors_in_the_second_version() {
    let mut expected = Vec::new();
    for i in 0..40u32 {
        let mixed = i.wrapping_mul(2_654_435_761);
        expected.extend([i * 370, i * i * 3].map(|part| (part as u16).to_le_bytes()).concat());
        expected.extend((mixed >> 23 << 12 | 0x3f80_0000).to_le_bytes());
        expected.extend(5u32.to_le_bytes());
        expected.extend([u32::from(i % 16 == 15), mixed >> 24, i & 3, i % 7 * 9].map(|part| part as u8));
    }
    assert_eq!(attributes(40, 16, "NONE", NEWER), expected);
    for (stride, packed, expected) in COLORS {
        assert_eq!(attributes(4, stride, "COLOR", packed), bytes(expected), "{stride}");
    }
    let settings = json!({ "count": 40, "byteStride": 16, "mode": "ATTRIBUTES" });
    for mode in [0x03, 0x10] {
        let mut packed = bytes(NEWER);
        *packed.last_mut().unwrap() = mode;
        assert!(unpack(&settings, &packed).is_err(), "{mode}");
    }
}
