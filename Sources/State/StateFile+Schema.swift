extension StateFile {
    static let tables =
        "'bookmarks','facts','followed','history','pictures','places','saved','seen'"

    /// The tables, and triggers that forget the oldest rows, by type and name; a row that is written again gets a new number.
    static let schema = [
        "CREATE TABLE bookmarks(id INTEGER PRIMARY KEY, name TEXT UNIQUE, gallery, title, picture, thumbnail, caption, number, view)",
        "CREATE TABLE facts(id INTEGER PRIMARY KEY, path TEXT UNIQUE, identity TEXT, value TEXT)",
        "CREATE TABLE followed(id INTEGER PRIMARY KEY, gallery TEXT UNIQUE)",
        "CREATE TABLE history(id INTEGER PRIMARY KEY, kind TEXT, line TEXT, UNIQUE(kind, line))",
        "CREATE TABLE pictures(id INTEGER PRIMARY KEY, path TEXT UNIQUE, identity TEXT, value TEXT)",
        "CREATE TABLE places(id INTEGER PRIMARY KEY, gallery TEXT UNIQUE, title, picture, thumbnail, caption, number, view, seen INTEGER)",
        "CREATE TABLE saved(id INTEGER PRIMARY KEY, target TEXT, name TEXT, UNIQUE(target, name))",
        "CREATE TABLE seen(id INTEGER PRIMARY KEY, name TEXT UNIQUE)",
        "CREATE TRIGGER forget_facts AFTER INSERT ON facts BEGIN DELETE FROM facts WHERE id <= NEW.id - 200000; END",
        "CREATE TRIGGER forget_followed AFTER INSERT ON followed BEGIN DELETE FROM followed WHERE id <= (SELECT id FROM followed ORDER BY id DESC LIMIT 1 OFFSET 1000); END",
        "CREATE TRIGGER forget_history AFTER INSERT ON history BEGIN DELETE FROM history WHERE kind = NEW.kind AND id <= (SELECT id FROM history WHERE kind = NEW.kind ORDER BY id DESC LIMIT 1 OFFSET 500); END",
        "CREATE TRIGGER forget_pictures AFTER INSERT ON pictures BEGIN DELETE FROM pictures WHERE id <= NEW.id - 1000000; END",
        "CREATE TRIGGER forget_places AFTER INSERT ON places BEGIN DELETE FROM places WHERE id <= (SELECT id FROM places ORDER BY id DESC LIMIT 1 OFFSET 1000); END",
        "CREATE TRIGGER forget_saved AFTER INSERT ON saved BEGIN DELETE FROM saved WHERE id <= NEW.id - 1000000; END",
        "CREATE TRIGGER forget_seen AFTER INSERT ON seen BEGIN DELETE FROM seen WHERE id <= NEW.id - 1000000; END",
    ]
}
