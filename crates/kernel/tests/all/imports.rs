//! Imports go one way: no file imports, however indirectly, itself, and none imports a higher
//! layer.
//!
//! Methods are ignored: `impl State` is spread over the files of `play`, which call each other,
//! since a condition may ask whether moves are possible.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Folders and files from the ground up. A file belongs to the longest entry that it begins with.
const LAYERS: &[&[&str]] = &[
    &["bits", "card", "random"],
    &["program"],
    &["position"],
    &["play"],
    &["perft", "bench", "move_score"],
    &["player/game"],
    &["search/proof", "search/weights", "search/budget", "search/strategy", "search/options"],
    &["search/counter_bound"],
    &["search/turn", "search/report", "search/visited", "search/score_bound"],
    &["search/statuses"],
    &["search/spaces"],
    &["search/strategies"],
    &["search/abstraction", "search/certificate", "search/schedule", "search/problem"],
    &["search/portfolio", "search/shorten"],
    &["search"],
    &["player"],
    &["search/best_score"],
    &["environment/actions", "environment/observation", "environment/reward"],
    &["environment/legal"],
    &["environment"],
    &["lib"],
];

type Files = BTreeMap<String, String>;

/// All sources by the path of their module, `search/mod` being `search`.
fn sources() -> Files {
    fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("the sources are there") {
            let path = entry.expect("a folder can be read").path();
            if path.is_dir() { walk(&path, files) } else { files.push(path) }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    walk(&root, &mut files);
    let name = |path: &Path| {
        let path = path.strip_prefix(&root).expect("it is below the root").with_extension("");
        let name = path.to_str().expect("names are plain").replace('\\', "/");
        name.strip_suffix("/mod").map_or_else(|| name.clone(), str::to_owned)
    };
    files.iter().map(|path| (name(path), fs::read_to_string(path).expect("it is text"))).collect()
}

/// The paths of a tree such as `a::{b, c::{d, e}}`.
fn expand(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else { return vec![tree.trim().to_owned()] };
    let (head, body) = (&tree[..open], &tree[open + 1..tree.rfind('}').unwrap_or(tree.len())]);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for each in body.chars() {
        depth += i32::from(each == '{') - i32::from(each == '}');
        if each == ',' && depth == 0 {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(each);
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expand(part.trim()))
        .map(|path| format!("{}{path}", head.trim()))
        .collect()
}

/// The paths that a source names: those of its `use` lines, and others that begin with `crate::`.
fn paths(source: &str) -> Vec<String> {
    let code = source.lines().map(|line| line.split("//").next().unwrap_or(line));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut paths = Vec::new();
    for (at, _) in code.match_indices("use ") {
        if at == 0 || code[..at].ends_with(['\n', ' ', ')']) {
            let statement = code[at + 4..].split(';').next().unwrap_or_default();
            // In a module within a file, such as `mod tests`, the file itself is `super`.
            let is_within = code[..at].ends_with("    ");
            let within = |path: String| match path.strip_prefix("super") {
                Some(rest) if is_within => format!("self{rest}"),
                _ => path,
            };
            paths.extend(expand(statement).into_iter().map(within));
        }
    }
    for (at, _) in code.match_indices("crate::") {
        let end = code[at..].find(|each: char| !(each.is_alphanumeric() || "_:".contains(each)));
        paths.push(code[at..].chars().take(end.unwrap_or(code.len() - at)).collect());
    }
    paths
}

/// The file that a path of a file leads to, if it is one of the kernel's.
fn target(files: &Files, file: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split("::").map(str::trim).collect();
    let mut base: Vec<&str> = file.split('/').filter(|&part| part != "lib").collect();
    match parts[0] {
        "crate" => base.clear(),
        "self" | "super" => {}
        // A child of this file, or another crate.
        child if files.contains_key(&[&base[..], &[child]].concat().join("/")) => {
            parts.insert(0, "self");
        }
        _ => return None,
    }
    while parts.first() == Some(&"super") {
        base.pop();
        parts.remove(0);
    }
    if matches!(parts.first(), Some(&("crate" | "self"))) {
        parts.remove(0);
    }
    let all = [base, parts].concat();
    (1..=all.len()).rev().map(|len| all[..len].join("/")).find(|name| files.contains_key(name))
}

/// By file the files that it imports.
fn imports(files: &Files) -> BTreeMap<&str, BTreeSet<String>> {
    let of = |(file, source): (&'_ String, &String)| {
        let found = paths(source).into_iter().filter_map(|path| target(files, file, &path));
        found.filter(|found| found != file).collect::<BTreeSet<_>>()
    };
    files.iter().map(|each| (each.0.as_str(), of(each))).collect()
}

fn layer(file: &str) -> usize {
    let within = |entry: &str| file == entry || file.starts_with(&format!("{entry}/"));
    let entries =
        LAYERS.iter().enumerate().flat_map(|(at, layer)| layer.iter().map(move |e| (at, e)));
    let found = entries.filter(|(_, entry)| within(entry)).max_by_key(|(_, entry)| entry.len());
    found.unwrap_or_else(|| panic!("src/{file}.rs belongs to no layer; add it to LAYERS")).0
}

#[test]
fn nothing_imports_a_higher_layer() {
    let files = sources();
    let up = imports(&files).into_iter().flat_map(|(file, imported)| {
        let up = imported.into_iter().filter(move |other| layer(other) > layer(file));
        up.map(move |other| format!("{file} imports {other}"))
    });
    assert_eq!(up.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn there_is_no_import_cycle() {
    let files = sources();
    let mut left = imports(&files);
    assert!(left.values().map(BTreeSet::len).sum::<usize>() > 100, "imports are not found");
    // Remove files whose imports are all removed, until none is left to remove. The rest is in a
    // cycle or above one.
    while let Some(&free) = left
        .iter()
        .find(|(_, of)| of.iter().all(|f| !left.contains_key(f.as_str())))
        .map(|(f, _)| f)
    {
        left.remove(free);
    }
    let names: BTreeSet<&str> = left.keys().copied().collect();
    for imported in left.values_mut() {
        imported.retain(|file| names.contains(file.as_str()));
    }
    assert_eq!(left, BTreeMap::new(), "these files import each other");
}

#[test]
fn paths_are_found() {
    assert_eq!(expand("a::{b, c::{d, e}}"), ["a::b", "a::c::d", "a::c::e"]);
    assert_eq!(
        paths("use super::{a, b};\nlet x = crate::c::d(1);"),
        ["super::a", "super::b", "crate::c::d"]
    );
    let files: Files = ["a", "a/b", "c"].map(|name| (name.to_owned(), String::new())).into();
    assert_eq!(target(&files, "a/b", "super::super::c::X").as_deref(), Some("c"));
    assert_eq!(target(&files, "a", "b::X").as_deref(), Some("a/b"));
    assert_eq!(target(&files, "a", "std::fmt"), None);
}
