//! The READMEs against what is really there: crates, sets, features, versions, examples, commands, picture.
//!
//! Takes: the workspace's folder. Leaves: complaints. Never: reads the prose around them.

use std::fs;
use std::path::Path;

use super::tidy::markdown::rows;
use super::tidy::source::SourceFile;

/// Complaints about every table, command and picture that has a counterpart in the sources.
pub(crate) fn check(root: &Path) -> Vec<String> {
    let readme = read(root, "README.md");
    let examples = read(root, "examples/README.md");
    let mut complaints = Vec::new();
    let mut compare = |what: &str, mut written: Vec<String>, mut real: Vec<String>| {
        written.sort();
        real.sort();
        if written != real {
            complaints.push(format!(
                "{what}: the table says {written:?}, the files say {real:?}"
            ));
        }
    };
    compare(
        "README.md, crates",
        column(&readme, "crate", 0),
        libraries(root),
    );
    compare("README.md, sets", column(&readme, "set", 0), sets(root));
    compare(
        "README.md, features",
        pairs(&readme, "feature"),
        features(root),
    );
    compare(
        "README.md, versions",
        rows(&readme, "Bevy").concat(),
        versions(root),
    );
    compare(
        "examples/README.md",
        column(&examples, "example", 0),
        examples_declared(root),
    );
    compare(
        "examples/Cargo.toml",
        examples_declared(root),
        examples_found(root),
    );
    complaints.extend(check_commands(root, &readme));
    complaints.extend(check_picture(root));
    complaints
}

/// Complaints about a command of the README that the landing run does not call, word for word.
fn check_commands(root: &Path, readme: &str) -> Vec<String> {
    let run = read(root, ".ci/run");
    let blocks = readme.split("```sh\n").skip(1);
    let commands: Vec<&str> = blocks
        .filter_map(|block| block.split("```").next())
        .flat_map(str::lines)
        .map(|line| line.split('#').next().unwrap_or_default().trim())
        .collect();
    let mut complaints = Vec::new();
    if commands.len() != 2 {
        complaints.push(format!("README.md: two commands, not {commands:?}"));
    }
    let is_missing = |command: &&&str| !run.contains(**command);
    let missing = commands.iter().filter(is_missing);
    complaints.extend(missing.map(|command| format!(".ci/run does not call `{command}`")));
    complaints
}

/// Complaints about a set that the picture of the frame leaves out, or shows out of order.
fn check_picture(root: &Path) -> Vec<String> {
    let picture = read(root, "assets/frame.svg");
    let places: Vec<Option<usize>> = sets(root)
        .iter()
        .map(|set| picture.find(&format!(">{set}<")))
        .collect();
    let is_fine = places.is_sorted() && places.iter().all(Option::is_some);
    let complaint = || "assets/frame.svg does not show the sets in their order".to_owned();
    (!is_fine).then(complaint).into_iter().collect()
}

fn read(root: &Path, name: &str) -> String {
    fs::read_to_string(root.join(name)).unwrap_or_else(|e| panic!("{name} can be read: {e}"))
}

fn column(text: &str, heading: &str, index: usize) -> Vec<String> {
    rows(text, heading)
        .into_iter()
        .filter_map(|row| row.into_iter().nth(index))
        .collect()
}

/// The first two cells of each row, as `second/first`.
fn pairs(text: &str, heading: &str) -> Vec<String> {
    rows(text, heading)
        .iter()
        .map(|row| format!("{}/{}", row[1], row[0]))
        .collect()
}

/// The members of the workspace that are published.
fn libraries(root: &Path) -> Vec<String> {
    let manifest = read(root, "Cargo.toml");
    let (_, members) = manifest
        .split_once("members = [")
        .expect("the workspace lists its members");
    let (members, _) = members.split_once(']').expect("the list of members ends");
    let names = members
        .split(',')
        .map(|name| name.trim().trim_matches('"').to_owned());
    names
        .filter(|name| !read(root, &format!("{name}/Cargo.toml")).contains("publish = false"))
        .collect()
}

/// The variants of `CogSystems`.
fn sets(root: &Path) -> Vec<String> {
    let file = SourceFile::new("sets.rs", &read(root, "cog-bevy/src/sets.rs"));
    let (_, body) = file
        .code
        .split_once("enum CogSystems")
        .expect("`sets.rs` declares `CogSystems`");
    let (_, body) = body.split_once('{').expect("an enum has a body");
    let (body, _) = body.split_once('}').expect("the body of an enum ends");
    let names = body.split(',').map(|variant| variant.trim().to_owned());
    names.filter(|name| !name.is_empty()).collect()
}

/// `package/feature` for each feature of each library.
fn features(root: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for package in libraries(root) {
        let manifest = read(root, &format!("{package}/Cargo.toml"));
        let section = section(&manifest, "[features]");
        let names = section
            .iter()
            .filter_map(|line| line.split_once('='))
            .map(|(name, _)| name.trim());
        all.extend(
            names
                .filter(|name| *name != "default")
                .map(|name| format!("{package}/{name}")),
        );
    }
    all
}

/// Bevy's version, ours, and the oldest Rust, as the first row of the table has them.
fn versions(root: &Path) -> Vec<String> {
    let manifest = read(root, "Cargo.toml");
    let quoted = |start: &str| -> String {
        let line = manifest.lines().find(|line| line.starts_with(start));
        let line = line.unwrap_or_else(|| panic!("the workspace's manifest has a line `{start}`"));
        line.split('"')
            .nth(1)
            .expect("a version is quoted")
            .to_owned()
    };
    vec![
        quoted("bevy_ecs = "),
        quoted("version = "),
        quoted("rust-version = "),
    ]
}

fn examples_declared(root: &Path) -> Vec<String> {
    let manifest = read(root, "examples/Cargo.toml");
    let blocks = manifest.split("[[example]]").skip(1);
    blocks
        .filter_map(|block| block.split('"').nth(1))
        .map(str::to_owned)
        .collect()
}

/// A `.rs` file, or a folder with a `main.rs`, directly in `examples/`.
fn examples_found(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root.join("examples")).expect("the examples can be listed");
    let paths = entries.map(|entry| entry.expect("a folder's entry can be read").path());
    let programs = paths.filter(|path| {
        path.extension().is_some_and(|e| e == "rs") || path.join("main.rs").exists()
    });
    programs
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect()
}

/// The lines of one section of a manifest, without comments.
fn section<'a>(manifest: &'a str, heading: &str) -> Vec<&'a str> {
    let lines = manifest
        .lines()
        .skip_while(|line| line.trim() != heading)
        .skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.starts_with('#'))
        .collect()
}
