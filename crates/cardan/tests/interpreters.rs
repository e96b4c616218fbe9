//! Components in Octave and Scilab, with the real interpreters: the same claims for both.

#![allow(clippy::unwrap_used, clippy::panic)] // in helpers of tests

mod support;

use cardan::core::record::ColumnData;
use cardan::{Overrides, Reporter, Simulation, System, Value};
use cardan_testkit::tools;
use support::{Variant, example, reals, run};

/// A language with what the tests need written in it: the key of a component, and what a file is called.
struct Language {
    key: &'static str,
    ending: &'static str,
    driver: &'static str,
    /// Talks with the interpreter before, during and after the run.
    diary: &'static str,
    /// Sends a value of each type.
    sender: &'static str,
    /// Sends back what it gets.
    echo: &'static str,
    /// What is in the place of `…` below, and what is told of it when it runs.
    mistakes: &'static [(&'static str, &'static str)],
    /// The same for those that are found before the run.
    refused: &'static [(&'static str, &'static str)],
    faulty: &'static str,
}

const OCTAVE: Language = Language {
    key: "octave",
    ending: "m",
    driver: r#"
function p = it ()
  p.inputs = {"speed", "m/s"};
  p.outputs = {"force", "N"};
  p.parameters = {"target", "m/s", 20; "eagerness", "N.s/m", 1};
  p.direct = true;
  p.initialize = @(parameters, start, stop) begin (parameters);
  p.publish = @(s, u, t) s.eagerness * (s.target - u);
end
function s = begin (parameters)
  disp ("printing harms nothing");
  s.target = parameters(1);
  s.eagerness = parameters(2);
end
"#,
    diary: r#"
function p = it ()
  p.inputs = {"x", "m"};
  p.outputs = {"y", "m", 0; "count", "", int64(0)};
  p.parameters = {"offset", "m", 1};
  p.direct = true;
  p.initialize = "a = []; count = 0; assert ([t, start, stop, offset], [0, 0, 1, 2])";
  p.step = "a(end + 1) = x; count++; assert (read (t), x)";
  p.publish = "y = x + offset";
  p.changed = "a(end + 1) = offset;";
  p.terminate = "assert (t, stop); file = fopen ('a.txt', 'w'); fprintf (file, '%.17g\\n', [a, x]); fclose (file);";
end
"#,
    sender: r#"
function p = it ()
  p.outputs = {"matrix", "", zeros(2, 3); "count", "", int64(0); "flag", "", false; "name", "", ""};
  p.publish = @(state, inputs, t) {[1 2 3; 4 5 6], 7, true, "grüße"};
end
"#,
    echo: r#"
function p = it ()
  p.inputs = {"matrix", "", zeros(2, 3); "count", "", int64(0); "flag", "", false; "name", "", ""};
  p.outputs = {"back", "", zeros(3, 2); "count_back", "", int64(0); "flag_back", "", true; "name_back", "", ""};
  p.direct = true;
  p.publish = "back = matrix'; count_back = count + 1; flag_back = ! flag; name_back = [name \"!\"];";
end
"#,
    faulty: "function p = it ()\n  p.outputs = {\"y\", \"m\"; \"z\", \"m\"};\n  …\nend\n\
             function s = go (t)\n  s = 1;\n  if (t > 0.025)\n    error (\"empty at %g s\", t);\n  end\nend\n",
    mistakes: &[
        (
            "p.step = @(s, read, t, dt) go (t); p.publish = @(s, u, t) [1; 2];",
            "Octave: empty at 0.03 s. (line 8 of it.m, in it>go)",
        ),
        (
            "p.initialize = 'y = 1; z = 2;'; p.step = 'y += w;';",
            "Octave: 'w' undefined near line 1, column 6. (in the commands of step)",
        ),
        (
            "p.initialize = 'y = 1;';",
            "Octave: no command sets the output `z`.",
        ),
        (
            "p.initialize = 'y = 1; z = [1 2];';",
            "Octave: publish gives 2 values for the output `z`, which has 1.",
        ),
        (
            "p.publish = @(s, u, t) [1; 2; 3];",
            "Octave: publish gives a double with 3 values for 2 outputs.",
        ),
        (
            "p.publish = @(s, u, t) {1, 'text'};",
            "Octave: the output `z` is given as char.",
        ),
        (
            "p.initialize = 'y = 1; z = 2; error (\"It is over.\")';",
            "Octave: It is over. (in the commands of initialize)",
        ),
        (
            "p.publish = @(s, u, t) [1; i];",
            "Octave: the output `z` is given as complex double.",
        ),
    ],
    refused: &[
        ("p.publsh = 1;", "there is no field `publsh`"),
        ("", "there are outputs, but no `publish`"),
        (
            "p.parameters = {'t', '', 1}; p.step = '';",
            "cannot have a variable `t`",
        ),
        ("p.inputs = {'x'}; p.step = '';", "`inputs` must be a table"),
        ("p.step = ;", "parse error"),
        ("unheard_of ();", "'unheard_of' undefined"),
    ],
};

const SCILAB: Language = Language {
    key: "scilab",
    ending: "sci",
    driver: r#"
function p = it()
    p.inputs = {"speed", "m/s"};
    p.outputs = {"force", "N"};
    p.parameters = {"target", "m/s", 20; "eagerness", "N.s/m", 1};
    p.direct = %t;
    p.initialize = "disp(""printing harms nothing"")";
    p.publish = "force = eagerness * (target - speed);";
endfunction
"#,
    diary: r#"
function p = it()
    p.inputs = {"x", "m"};
    p.outputs = {"y", "m", 0; "count", "", int64(0)};
    p.parameters = {"offset", "m", 1};
    p.direct = %t;
    p.initialize = "a = []; count = 0; agree([t, start, stop, offset], [0, 0, 1, 2])";
    p.step = ["a($ + 1) = x;"; "count = count + 1"; "agree(cardan_read(t), x)"];
    p.publish = "y = x + offset";
    p.changed = "a($ + 1) = offset;";
    p.terminate = ["agree(t, stop)"; "file = mopen(""a.txt"", ""w""); mfprintf(file, ""%.17g\n"", [a; x]); mclose(file);"];
endfunction
function agree(a, b)
    if or(a <> b) then
        error("these are not equal");
    end
endfunction
"#,
    sender: r#"
function p = it()
    p.outputs = {"table", "", zeros(2, 3); "count", "", int64(0); "flag", "", %f; "name", "", ""};
    p.publish = "table = [1 2 3; 4 5 6]; count = 7; flag = %t; name = ""grüße"";";
endfunction
"#,
    echo: r#"
function p = it()
    p.inputs = {"table", "", zeros(2, 3); "count", "", int64(0); "flag", "", %f; "name", "", ""};
    p.outputs = {"back", "", zeros(3, 2); "count_back", "", int64(0); "flag_back", "", %t; "name_back", "", ""};
    p.direct = %t;
    p.publish = "back = table''; count_back = count + int64(1); flag_back = ~flag; name_back = name + ""!"";";
endfunction
"#,
    faulty: "function p = it()\n  p.outputs = {\"y\", \"m\"; \"z\", \"m\"};\n  …\nendfunction\n\
             function go(t)\n  if t > 0.025 then\n    error(msprintf(\"empty at %g s\", t));\n  end\nendfunction\n",
    mistakes: &[
        (
            "p.initialize = \"y = 1; z = 2\"; p.step = \"go(t)\";",
            "Scilab: empty at 0.03 s. (line 7, in go)",
        ),
        (
            "p.initialize = \"y = 1; z = 2\"; p.step = \"y = y + w;\";",
            "Scilab: Undefined variable: w. (in the commands of step)",
        ),
        (
            "p.initialize = \"y = 1;\";",
            "Scilab: Undefined variable: z. (in the commands of publish)",
        ),
        (
            "p.initialize = \"y = 1; z = [1 2]\";",
            "Scilab: 2 values are given for the output z, which has 1. (in the commands of publish)",
        ),
        (
            "p.initialize = \"y = 1; z = \"\"a\"\"\";",
            "Scilab: the output z is given as string. (in the commands of publish)",
        ),
        (
            "p.initialize = \"y = 1; z = %i\";",
            "Scilab: the output z is given as complex. (in the commands of publish)",
        ),
    ],
    refused: &[
        ("p.publsh = 1;", "there is no field publsh"),
        ("p.parameters = {\"t\", \"\", 1};", "cannot have a variable t"),
        (
            "p.parameters = {\"size\", \"\", 1};",
            "cannot have a variable size: it is a function of Scilab",
        ),
        (
            "p.outputs = {\"gain\", \"m\"; \"beta\", \"m\"};",
            "cannot have a variable beta: it is a function of Scilab",
        ),
        ("p.inputs = {\"x\"};", "inputs must be a table"),
        ("p.step = + ;", "syntax error"),
        ("unheard_of();", "Undefined variable: unheard_of"),
    ],
};

impl Language {
    fn line(&self, folder: &str) -> String {
        format!("{} = \"{folder}it.{}\"", self.key, self.ending)
    }

    /// Writes a function into a folder of a system. Functions are called like their files, hence the folders.
    fn write(&self, system: &Variant, folder: &str, text: &str) {
        let folder = system.path().join(folder);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("it.{}", self.ending)), text).unwrap();
    }

    fn drives_like_python(&self) {
        let own = Variant::of(
            "python-driver/system.toml",
            &[("python = \"driver.py:Driver\"", &self.line(""))],
        );
        self.write(&own, "", self.driver);
        let (own, python) = (
            own.run(Overrides::default()),
            run("python-driver/system.toml", Overrides::default()),
        );
        for name in ["car.position", "car.velocity", "driver.force"] {
            assert_eq!(reals(&own, name), reals(&python, name), "{name}");
        }
    }

    /// Variables go to the interpreter and come from it; commands run before, during and after the run, and what they
    /// collected is in a file in the end.
    fn talks_before_during_and_after_the_run(&self) {
        let system = Variant::text(&format!(
            "[system]\nstop = 1.0\n[method]\nkind = \"jacobi\"\nstep = 0.1\n\
             [components.wave]\nmodel = \"sine\"\n\
             [components.diary]\n{}\nparameters = {{ offset = \"2000 mm\" }}\n\
             [[connections]]\nfrom = \"wave.y\"\nto = \"diary.x\"\n",
            self.line("")
        ));
        self.write(&system, "", self.diary);
        let (mut simulation, rows) = system.open(Overrides::default());
        simulation.advance_to(0.5).unwrap();
        assert!(simulation.set("diary.count", Value::real(3.0)).is_err());
        simulation.set("diary.offset", Value::real(3.0)).unwrap();
        let report = simulation.run();
        assert_eq!(report.status, "ok", "{:?}", report.error);
        let table = rows.table();
        let x = reals(&table, "wave.y");
        for ((time, x), y) in table.times.iter().zip(x).zip(reals(&table, "diary.y")) {
            // The row of the change itself was written before it.
            let offset = if *time < 0.55 { 2.0 } else { 3.0 };
            assert_eq!(*y, x + offset, "at {time}");
        }
        let Some(ColumnData::Integers(count)) = table.column("diary.count") else {
            panic!("{:?}", table.columns);
        };
        assert_eq!(*count, (0..=10).collect::<Vec<i64>>());
        let text = std::fs::read_to_string(system.path().join("a.txt")).unwrap();
        let noted: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        // Seventeen digits are exact, and the change came after five steps.
        assert_eq!(noted, [&x[..5], &[3.0], &x[5..]].concat());
    }

    fn keeps_types_and_the_order_of_elements(&self) {
        let matrix = if self.key == "scilab" { "table" } else { "matrix" };
        let mut text = format!(
            "[system]\nstop = 0.2\n[method]\nkind = \"jacobi\"\nstep = 0.1\n\
             [components.sender]\n{}\n[components.echo]\n{}\n",
            self.line("sender/"),
            self.line("echo/")
        );
        for port in [matrix, "count", "flag", "name"] {
            text += &format!("[[connections]]\nfrom = \"sender.{port}\"\nto = \"echo.{port}\"\n");
        }
        let system = Variant::text(&text);
        self.write(&system, "sender", self.sender);
        self.write(&system, "echo", self.echo);
        let (mut simulation, _rows) = system.open(Overrides::default());
        assert_eq!(simulation.run().status, "ok");
        for (port, value) in [
            (
                format!("sender.{matrix}"),
                Value::Reals(vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
            ),
            (
                "echo.back".into(),
                Value::Reals(vec![1.0, 4.0, 2.0, 5.0, 3.0, 6.0]),
            ),
            ("echo.count_back".into(), Value::Integers(vec![8])),
            ("echo.flag_back".into(), Value::Booleans(vec![false])),
            ("echo.name_back".into(), Value::Strings(vec!["grüße!".into()])),
        ] {
            assert_eq!(simulation.value(&port).unwrap(), value, "{port}");
        }
    }

    fn faulty(&self, mistake: &str) -> Variant {
        let system = Variant::text(&format!(
            "[components.x]\n{}\n[system]\nstop = 0.1\n[method]\nstep = 0.01\n",
            self.line("")
        ));
        self.write(&system, "", &self.faulty.replace('…', mistake));
        system
    }

    fn tells_what_goes_wrong(&self) {
        for (mistake, words) in self.mistakes {
            let system = self.faulty(mistake);
            let failed = match Simulation::open(system.path()) {
                Ok(mut simulation) => simulation.run().error.unwrap().message,
                Err(error) => error.to_string(),
            };
            assert!(failed.ends_with(words), "{mistake}: {failed}");
        }
        for (mistake, words) in self.refused {
            let system = self.faulty(mistake);
            let mut reporter = Reporter::new();
            assert!(System::load(system.path(), &Overrides::default(), false, &mut reporter).is_none());
            let found = reporter.finish();
            assert_eq!(found.len(), 1, "{mistake}: {found:?}");
            assert!(
                found[0].message.contains(words),
                "{mistake}: {}",
                found[0].message
            );
        }
    }
}

macro_rules! claims {
    ($language:ident $module:ident $reason:literal: $($claim:ident)*) => {
        mod $module {
            $(#[test]
            #[ignore = $reason]
            fn $claim() {
                if cardan_testkit::tools::has(super::$language.key) {
                    super::$language.$claim();
                }
            })*
        }
    };
}

claims!(OCTAVE octave "needs Octave: ./test --tools":
    drives_like_python talks_before_during_and_after_the_run keeps_types_and_the_order_of_elements tells_what_goes_wrong);
claims!(SCILAB scilab "needs Scilab: ./test --tools":
    drives_like_python talks_before_during_and_after_the_run keeps_types_and_the_order_of_elements tells_what_goes_wrong);

/// A package of Octave that commands load is there in all of them.
#[test]
#[ignore = "needs Octave: ./test --tools"]
fn octave_loads_packages() {
    if !tools::has("octave") {
        return;
    }
    let system = Variant::text(&format!(
        "[components.x]\n{}\n[system]\nstop = 0.1\n[method]\nstep = 0.1\n",
        OCTAVE.line("")
    ));
    OCTAVE.write(
        &system,
        "",
        "function p = it ()\n  p.outputs = {'gain', '', [0 0]};\n  \
         p.initialize = 'pkg load control; gain = lqr ([0 1; 1 0], [0; 1], eye (2), 1);';\nend\n",
    );
    let (mut simulation, _rows) = system.open(Overrides::default());
    assert_eq!(simulation.run().status, "ok");
    let Value::Reals(gain) = simulation.value("x.gain").unwrap() else {
        panic!("no reals");
    };
    // The double integrator with a negative spring: p12 = 1 + √2 and p22² = 2 p12 + 1, so both gains are 1 + √2.
    for found in gain {
        assert!((found - (1.0 + 2.0_f64.sqrt())).abs() < 1e-12, "{found}");
    }
}

/// The code on the page for users runs as it stands there.
fn page_runs(language: &Language, component: &str, connections: &[(&str, &str)]) {
    let page = std::fs::read_to_string(example("../docs/book/processes.md")).unwrap();
    let start = format!("```{}\n", language.key);
    let blocks: Vec<&str> = page
        .split(&start)
        .skip(1)
        .filter_map(|rest| Some(rest.split_once("```")?.0))
        .collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let mut text = format!(
            "[system]\nstop = 1.0\n[method]\nkind = \"jacobi\"\nstep = 0.1\n\
             [components.mass]\nmodel = \"mass-spring-damper\"\nparameters = {{ position = 1.0 }}\n\
             [components.{component}]\n{} = \"{component}.{}\"\n",
            language.key, language.ending
        );
        for (from, to) in connections {
            text += &format!("[[connections]]\nfrom = \"{from}\"\nto = \"{to}\"\n");
        }
        let system = Variant::text(&text);
        let file = system.path().join(format!("{component}.{}", language.ending));
        std::fs::write(file, block).unwrap();
        system.run(Overrides::default());
        if block.contains("'a.txt'") {
            let saved = std::fs::read_to_string(system.path().join("a.txt")).unwrap();
            assert!(saved.contains("# rows: 10\n# columns: 3"), "{saved}");
        }
    }
}

#[test]
#[ignore = "needs Octave: ./test --tools"]
fn octave_on_the_page_runs() {
    if tools::has("octave") {
        let connections = [
            ("mass.position", "controller.position"),
            ("mass.velocity", "controller.velocity"),
            ("controller.force", "mass.force"),
        ];
        page_runs(&OCTAVE, "controller", &connections);
    }
}

#[test]
#[ignore = "needs Scilab: ./test --tools"]
fn scilab_on_the_page_runs() {
    if tools::has("scilab") {
        page_runs(&SCILAB, "observer", &[("mass.position", "observer.measured")]);
    }
}
