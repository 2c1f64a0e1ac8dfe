//! Planted faults: each check of the tidy test complains about the fault it is there for.
//!
//! A check that never complains would pass for ever, so every one is shown a house that is not tidy.

use super::tidy::floors::{self, Plan};
use super::tidy::imports;
use super::tidy::markdown;
use super::tidy::shape::{self, FILE_LINES_MAX, FUNCTION_LINES_MAX};
use super::tidy::source::{SourceFile, blank_comments_and_literals};
use super::tidy::words::{self, Ban};

const PLAN: Plan = Plan {
    rooms: &[("cellar", 0), ("pantry", 0), ("hall", 1), ("attic", 2)],
    doors: &[("pantry", "cellar")],
    walls: &[("attic", "cellar")],
    strangers: &[("attic", &["ladder"])],
    dangerous: &["cellar"],
};

fn house(files: &[(&str, &str)]) -> Vec<SourceFile> {
    let rooms = ["cellar.rs", "pantry.rs", "hall/mod.rs", "attic/mod.rs"];
    let empty = rooms
        .iter()
        .filter(|room| !files.iter().any(|(path, _)| path == *room))
        .map(|room| (*room, ""));
    files
        .iter()
        .copied()
        .chain(empty)
        .map(|(path, text)| SourceFile::new(path, text))
        .collect()
}

fn complaints(files: &[(&str, &str)]) -> Vec<String> {
    floors::check(&house(files), &PLAN)
}

#[test]
fn comments_strings_and_characters_are_blanked_and_lifetimes_stay() {
    let text = "a /* x /* y */ z */ \"q\\\"\" r#\"w\"# 'c' '\\'' <'a> // end\nb";
    let blanked = blank_comments_and_literals(text);
    assert_eq!(
        blanked.split_whitespace().collect::<Vec<_>>(),
        ["a", "<'a>", "b"]
    );
    assert_eq!(blanked.len(), text.len());
}

#[test]
fn unit_tests_are_no_part_of_what_is_shipped() {
    let file = SourceFile::new(
        "hall.rs",
        "a;\n#[cfg(test)]\nmod tests {\n    use super::x;\n}\nb;",
    );
    assert_eq!(
        file.shipped.split_whitespace().collect::<Vec<_>>(),
        ["a;", "b;"]
    );
    assert!(
        SourceFile::new("hall/tests.rs", "use super::x;")
            .shipped
            .is_empty()
    );
}

#[test]
fn a_file_without_a_header_or_with_too_many_lines_is_found() {
    assert_eq!(
        shape::check(&SourceFile::new("a.rs", "//! Says.\n")),
        Vec::<String>::new()
    );
    assert_eq!(
        shape::check(&SourceFile::new("a.rs", "// Mumbles.\n")).len(),
        1
    );
    let long = format!("//! Says.\n{}", "\n".repeat(FILE_LINES_MAX - 1));
    assert_eq!(shape::check(&SourceFile::new("a.rs", &long)).len(), 1);
}

#[test]
fn a_function_with_too_many_lines_is_found_and_named() {
    let body = |lines: usize| {
        format!(
            "//! Says.\nfn long(x: [u8; 4]) {{\n{}}}\n",
            "    f();\n".repeat(lines)
        )
    };
    assert_eq!(
        shape::check(&SourceFile::new("a.rs", &body(FUNCTION_LINES_MAX - 3))),
        Vec::<String>::new()
    );
    let found = shape::check(&SourceFile::new("a.rs", &body(FUNCTION_LINES_MAX - 2)));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("a.rs:2: `long`"), "{found:?}");
}

#[test]
fn groups_of_imports_are_unfolded() {
    let paths: Vec<String> =
        imports::find("use crate::{a::{self, B}, c as d};\nlet x = crate::e::F::<u8>::new();")
            .into_iter()
            .map(|import| format!("{} {}", import.line, import.path.join("::")))
            .collect();
    assert_eq!(paths, ["1 a", "1 a::B", "1 c", "2 e::F"]);
    assert_eq!(imports::find("pub(in crate::a) fn f() {}"), []);
}

#[test]
fn an_import_that_goes_down_is_fine_and_one_that_goes_up_or_sideways_is_found() {
    assert_eq!(
        complaints(&[("hall/mod.rs", "use crate::cellar::Coal;")]),
        Vec::<String>::new()
    );
    assert_eq!(
        complaints(&[("hall/mod.rs", "use crate::attic::Box;")]).len(),
        1
    );
    assert_eq!(
        complaints(&[("cellar.rs", "use crate::pantry::Jam;")]).len(),
        1
    );
}

#[test]
fn doors_open_one_way_and_walls_hide_a_lower_floor() {
    assert_eq!(
        complaints(&[("pantry.rs", "use crate::cellar::Coal;")]),
        Vec::<String>::new()
    );
    assert_eq!(
        complaints(&[("attic/mod.rs", "use crate::cellar::Coal;")]).len(),
        1
    );
}

#[test]
fn a_name_from_the_front_door_and_a_room_without_a_floor_are_found() {
    assert_eq!(complaints(&[("hall/mod.rs", "use crate::House;")]).len(), 1);
    assert_eq!(complaints(&[("shed.rs", "")]).len(), 1);
    let files: Vec<SourceFile> = house(&[])
        .into_iter()
        .filter(|file| file.path != "pantry.rs")
        .collect();
    assert_eq!(floors::check(&files, &PLAN).len(), 1);
}

#[test]
fn inside_a_folder_files_use_what_is_declared_before_them() {
    let hall = ("hall/mod.rs", "mod coats;\nmod shoes;\n");
    let up = [
        hall,
        ("hall/coats.rs", ""),
        ("hall/shoes.rs", "use crate::hall::coats::Coat;"),
    ];
    assert_eq!(complaints(&up), Vec::<String>::new());
    let down = [
        hall,
        ("hall/coats.rs", "use crate::hall::shoes::Shoe;"),
        ("hall/shoes.rs", ""),
    ];
    assert_eq!(complaints(&down).len(), 1);
    let parent = [
        hall,
        ("hall/coats.rs", "use crate::hall::Hall;"),
        ("hall/shoes.rs", ""),
    ];
    assert_eq!(complaints(&parent).len(), 1);
}

#[test]
fn strangers_meet_on_the_common_file_only() {
    let attic = ("attic/mod.rs", "mod ladder;\nmod chest;\nmod trunk;\n");
    let common = [
        attic,
        ("attic/ladder.rs", ""),
        ("attic/trunk.rs", "use crate::attic::ladder::Rung;"),
    ];
    assert_eq!(complaints(&common), Vec::<String>::new());
    let met = [
        attic,
        ("attic/chest.rs", ""),
        ("attic/trunk.rs", "use crate::attic::chest::Lid;"),
    ];
    assert_eq!(complaints(&met).len(), 1);
}

#[test]
fn a_map_that_is_not_the_plan_is_found() {
    let row = |room: &str, floor: usize| format!("| `{room}` | {floor} | why |\n");
    let head = "| room of house | floor | what |\n|---|---|---|\n";
    let fine: String = PLAN
        .rooms
        .iter()
        .map(|(room, floor)| row(room, *floor))
        .collect();
    assert_eq!(
        floors::check_map(&format!("{head}{fine}"), "house", &PLAN),
        None
    );
    assert!(floors::check_map(head, "house", &PLAN).is_some());
    let moved = fine.replace("| `hall` | 1", "| `hall` | 2");
    assert!(floors::check_map(&format!("{head}{moved}"), "house", &PLAN).is_some());
}

#[test]
fn unsafe_outside_its_room_or_without_a_reason_is_found() {
    let check = |front: &str, hall: &str| {
        floors::check_unsafe(&house(&[("lib.rs", front), ("hall/mod.rs", hall)]), &PLAN).len()
    };
    let front = "#![deny(unsafe_code)]\n#[expect(unsafe_code, reason = \"coal\")]\nmod cellar;\nmod hall;\n";
    assert_eq!(check(front, ""), 0);
    assert_eq!(check(front, "unsafe { f() }"), 1);
    assert_eq!(
        check(
            front,
            "#[expect(unsafe_code, reason = \"why not\")] fn f() {}"
        ),
        1
    );
    assert_eq!(check("#[allow(unsafe_code)]\nmod cellar;\n", ""), 1);
    assert_eq!(check("mod cellar;\n", ""), 1);
    assert_eq!(
        check(
            &format!("{front}#[expect(unsafe_code, reason = \"more\")]\nmod hall;\n"),
            ""
        ),
        1
    );
}

#[test]
fn a_banned_word_is_found_in_code_and_excused_in_its_room() {
    let bans = [Ban {
        word: "Instant",
        but_in: &["cellar.rs", "attic/"],
        reason: "no clock",
    }];
    let found =
        |path: &str, text: &str| words::check_bans(&SourceFile::new(path, text), &bans).len();
    assert_eq!(found("hall.rs", "a\nInstant::now(); // Instant"), 1);
    assert_eq!(found("hall.rs", "InstantNoodles"), 0);
    assert_eq!(found("cellar.rs", "Instant::now()"), 0);
    assert_eq!(found("attic/chest.rs", "Instant::now()"), 0);
}

#[test]
fn a_leftover_is_found_in_a_comment_too() {
    let text = concat!("//! Says.\n// TO", "DO: more\n");
    assert_eq!(
        words::check_leftovers(&SourceFile::new("a.rs", text)).len(),
        1
    );
}

#[test]
fn a_table_is_read_by_its_first_heading() {
    let text =
        "| a | b |\n|---|---|\n| x | y |\n\n| `c` | d |\n|---|---|\n| `1` | 2 |\n| 3 | 4 |\nend";
    assert_eq!(markdown::rows(text, "c"), [["1", "2"], ["3", "4"]]);
    assert_eq!(markdown::rows(text, "e"), Vec::<Vec<String>>::new());
}
