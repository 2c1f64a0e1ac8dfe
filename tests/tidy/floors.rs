//! The floor plan: imports go down, never up or sideways; danger lives where `lib.rs` says.
//!
//! Takes: the files of one `src` and the plan as a table. Leaves: complaints. Never: guesses a
//! floor; a room that the table does not name is a complaint.

use super::imports;
use super::markdown;
use super::source::{SourceFile, find_words, line_of};

/// The floors of one package.
pub(crate) struct Plan {
    /// Each room below `src`, a file or a folder, with its floor.
    pub(crate) rooms: &'static [(&'static str, usize)],
    /// Doors on one floor, from and to, that are open all the same.
    pub(crate) doors: &'static [(&'static str, &'static str)],
    /// Lower rooms that a room does not enter: from and to.
    pub(crate) walls: &'static [(&'static str, &'static str)],
    /// Folders whose files do not meet, with the files that all of them may use.
    pub(crate) strangers: &'static [(&'static str, &'static [&'static str])],
    /// Rooms that `lib.rs` lets be unsafe.
    pub(crate) dangerous: &'static [&'static str],
}

impl Plan {
    fn floor(&self, room: &str) -> Option<usize> {
        self.rooms
            .iter()
            .find(|(name, _)| *name == room)
            .map(|(_, floor)| *floor)
    }

    /// Why room `from` may not use room `to`; `None` if it may.
    fn objection(&self, from: &str, to: &str) -> Option<String> {
        let Some(floor) = self.floor(from) else {
            return Some(format!("`{from}` has no floor in the plan"));
        };
        let Some(below) = self.floor(to) else {
            return Some(format!(
                "`{to}` is no room of the plan: name the room a thing lives in"
            ));
        };
        if self.walls.contains(&(from, to)) {
            return Some(format!("`{from}` does not know `{to}`"));
        }
        let allowed = below < floor || self.doors.contains(&(from, to));
        (!allowed).then(|| {
            format!("`{from}` is on floor {floor} and may not use `{to}` on floor {below}")
        })
    }
}

/// Complaints about rooms without a floor, floors without a room, and imports that do not go down.
pub(crate) fn check(files: &[SourceFile], plan: &Plan) -> Vec<String> {
    let mut complaints = Vec::new();
    for (room, _) in plan.rooms {
        if !files.iter().any(|file| file.module().first() == Some(room)) {
            complaints.push(format!(
                "the plan names the room `{room}`, which is not there"
            ));
        }
    }
    for file in files {
        let module = file.module();
        let Some(room) = module.first() else { continue };
        if plan.floor(room).is_none() {
            complaints.push(format!("{}: `{room}` has no floor in the plan", file.path));
            continue;
        }
        for import in imports::find(&file.shipped) {
            let path: Vec<&str> = import.path.iter().map(String::as_str).collect();
            if let Some(objection) = object(files, plan, &module, &path) {
                complaints.push(format!("{}:{}: {objection}", file.path, import.line));
            }
        }
    }
    complaints
}

/// A complaint if the map in `text`, under the heading `room of PACKAGE`, is not the plan.
pub(crate) fn check_map(text: &str, package: &str, plan: &Plan) -> Option<String> {
    let rows = markdown::rows(text, &format!("room of {package}"));
    let mut map: Vec<String> = rows.iter().map(|row| row[..2].join(" ")).collect();
    let mut planned: Vec<String> = plan
        .rooms
        .iter()
        .map(|(room, floor)| format!("{room} {floor}"))
        .collect();
    map.sort();
    planned.sort();
    (map != planned)
        .then(|| format!("ARCHITECTURE.md maps {package} as {map:?}, the plan is {planned:?}"))
}

/// Why the file of `module` may not name `path`; `None` if it may.
fn object(files: &[SourceFile], plan: &Plan, module: &[&str], path: &[&str]) -> Option<String> {
    let shared = module.iter().zip(path).take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return plan.objection(module[0], path.first().copied().unwrap_or_default());
    }
    // A `mod.rs` may name whatever lies below it.
    if shared == module.len() {
        return None;
    }
    let parent = &module[..shared];
    let children = children(files, parent);
    let mine = children.iter().position(|child| *child == module[shared]);
    let theirs = path
        .get(shared)
        .and_then(|name| children.iter().position(|child| child == name));
    let Some(theirs) = theirs else {
        return Some(format!(
            "`{}` looks up at `{}`: `mod.rs` gathers",
            module.join("::"),
            path.join("::")
        ));
    };
    let strangers = plan
        .strangers
        .iter()
        .find(|(folder, _)| *folder == parent.join("/"));
    if let Some((folder, common)) = strangers
        && !common.contains(&children[theirs])
    {
        return Some(format!(
            "the files of `{folder}` do not meet: `{}` names `{}`",
            module.join("::"),
            path.join("::")
        ));
    }
    let is_earlier = mine.is_some_and(|mine| theirs < mine);
    (!is_earlier).then(|| {
        format!(
            "`{}` is not declared before `{}`",
            children[theirs], module[shared]
        )
    })
}

/// The modules that the `mod.rs` of `parent` declares, in the order it declares them.
fn children<'a>(files: &'a [SourceFile], parent: &[&str]) -> Vec<&'a str> {
    let gathers = |file: &&SourceFile| file.module() == parent;
    files
        .iter()
        .find(gathers)
        .map(|file| declared(&file.code))
        .unwrap_or_default()
}

/// The names in `mod name;` lines, in order.
pub(crate) fn declared(code: &str) -> Vec<&str> {
    let names = find_words(code, "mod")
        .into_iter()
        .filter_map(|at| code[at + 3..].split_once([';', '{']));
    let lines =
        names.filter(|(name, _)| name.trim().chars().all(|c| c.is_alphanumeric() || c == '_'));
    lines.map(|(name, _)| name.trim()).collect()
}

/// Complaints about `unsafe` outside the rooms that `lib.rs` lets be unsafe, and about who is let.
pub(crate) fn check_unsafe(files: &[SourceFile], plan: &Plan) -> Vec<String> {
    let mut complaints = Vec::new();
    let front = files
        .iter()
        .find(|file| file.path == "lib.rs")
        .expect("a library has a front door");
    let let_in = rooms_let_be_unsafe(front);
    for room in plan.dangerous {
        if !let_in.iter().any(|(name, _)| name == room) {
            complaints.push(format!(
                "the plan calls `{room}` dangerous, `lib.rs` does not"
            ));
        }
    }
    for (room, has_reason) in &let_in {
        if !plan.dangerous.contains(&room.as_str()) {
            complaints.push(format!(
                "lib.rs: `{room}` may be unsafe, the plan does not say so"
            ));
        }
        if !has_reason {
            complaints.push(format!("lib.rs: `{room}` may be unsafe without a reason"));
        }
    }
    for file in files {
        let room = file.module().first().map(ToString::to_string);
        let is_let = room.is_some_and(|room| let_in.iter().any(|(name, _)| *name == room));
        for at in find_words(&file.code, "unsafe") {
            if !is_let {
                complaints.push(format!(
                    "{}:{}: unsafe in a safe room",
                    file.path,
                    line_of(&file.code, at)
                ));
            }
        }
        if file.path != "lib.rs" {
            for at in find_words(&file.code, "unsafe_code") {
                complaints.push(format!(
                    "{}:{}: only `lib.rs` opens a room",
                    file.path,
                    line_of(&file.code, at)
                ));
            }
        }
    }
    complaints
}

/// The rooms whose `mod` line lifts the ban on unsafe code, and whether it says why.
fn rooms_let_be_unsafe(front: &SourceFile) -> Vec<(String, bool)> {
    let mut rooms = Vec::new();
    for at in find_words(&front.code, "unsafe_code") {
        let opening = front.code[..at].trim_end();
        if !opening.ends_with("allow(") && !opening.ends_with("expect(") {
            continue;
        }
        let rest = &front.code[at..];
        let Some((attribute, after)) = rest.split_once(']') else {
            continue;
        };
        let names = declared(after);
        rooms.extend(
            names
                .first()
                .map(|name| (name.to_string(), attribute.contains("reason"))),
        );
    }
    rooms
}
