use super::*;

const POLICIES: [&str; 7] = ["none", "1d-cpu", "1d-io", "2d-iso", "2d-wtd", "cooperative", "keel"];

/// All texts of an SVG, after checking that it is well-formed.
fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).expect("well-formed XML");
    assert_eq!(document.root_element().tag_name().name(), "svg");
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let nodes = document.descendants().filter(|node| node.has_tag_name("text"));
    nodes.filter_map(|node| node.text()).map(|text| text.trim().to_string()).collect()
}

fn grouped() -> Chart {
    let mut chart =
        Chart::bars("Moves & <splits>", ["mix", "pareto"]).axes("cluster", "moves").rule(1.05, "limit");
    for (index, name) in POLICIES.into_iter().enumerate() {
        let value = index as f64 + 0.5;
        chart =
            chart.with(Series::bars_with_spread(name, [(value, value - 0.2, value + 0.2), (2.0, 1.0, 3.0)]));
    }
    chart
}

fn lines(log_x: bool) -> Chart {
    let mut chart = Chart::lines("Planning time").axes("nodes", "ms");
    chart.kind = Kind::Lines { log_x };
    chart.with(Series::line("keel", [(8.0, 1.0), (64.0, 5.0), (1000.0, 80.0)]))
}

#[test]
fn grouped_bars_carry_their_words() {
    let texts = texts(&grouped().svg());
    for word in
        ["Moves & <splits>", "mix", "pareto", "cluster", "moves", "keel", "2d-wtd", "limit", "0.50", "6.50"]
    {
        assert!(texts.iter().any(|text| text == word), "{word} in {texts:?}");
    }
}

#[test]
fn lines_tick_at_their_own_few_points() {
    let texts = texts(&lines(true).svg());
    for word in ["Planning time", "nodes", "ms", "8", "64", "1000"] {
        assert!(texts.iter().any(|text| text == word), "{word} in {texts:?}");
    }
}

#[test]
fn panels_share_one_legend() {
    let grid = Grid { title: "All".into(), columns: 2, panels: vec![grouped(), lines(false), grouped()] };
    let texts = texts(&grid.svg());
    assert_eq!(texts.iter().filter(|text| *text == "keel").count(), 1);
    assert_eq!(texts.iter().filter(|text| *text == "Planning time").count(), 1);
    assert_eq!(texts.iter().filter(|text| *text == "mix").count(), 2);
}

#[test]
fn nodes_have_two_bars_each() {
    let nodes: Vec<(String, f64, f64)> = (1..=8).map(|id| (format!("N{id}"), 1.0, 0.5)).collect();
    let svg = Chart::by_node("Load by node", &nodes).svg();
    let texts = texts(&svg);
    assert!(texts.iter().any(|text| text == "N8") && texts.iter().any(|text| text == "io"));
    // Ground, two legend entries, sixteen bars.
    assert_eq!(svg.matches("<rect").count(), 1 + 2 + 16);
}

#[test]
fn equal_data_gives_equal_bytes() {
    assert_eq!(grouped().svg(), grouped().svg());
    assert_eq!(lines(true).svg(), lines(true).svg());
}

#[test]
fn odd_data_is_drawn_as_far_as_it_goes() {
    let odd: [&[f64]; 8] = [
        &[],
        &[f64::NAN],
        &[f64::INFINITY, 1.0],
        &[5.0],
        &[0.0, 0.0],
        &[-1.0, 2.0],
        &[1e300, -1e300, f64::MAX],
        &[1e-300, f64::MIN_POSITIVE],
    ];
    for values in odd {
        let bars = Chart::bars("odd", ["a", "b", "c"]).with(Series::bars("x", values.iter().copied()));
        texts(&bars.svg());
        let spread = values.iter().map(|value| (*value, -value, value * 2.0));
        texts(&Chart::bars("odd", ["a"]).with(Series::bars_with_spread("x", spread)).svg());
        for log_x in [false, true] {
            let mut chart =
                Chart::lines("odd").with(Series::line("x", values.iter().map(|value| (*value, *value))));
            chart.kind = Kind::Lines { log_x };
            texts(&chart.rule(f64::NAN, "nowhere").svg());
        }
    }
    assert!(texts(&Chart::bars("nothing", [""; 0]).svg()).contains(&"no data".to_string()));
    assert!(texts(&Chart::lines("nothing").svg()).contains(&"no data".to_string()));
    texts(&Grid { title: "nothing".into(), columns: 0, panels: vec![] }.svg());
}

#[test]
fn crowds_do_not_break_the_layout() {
    let names: Vec<String> = (0..400).map(|index| format!("node {index}")).collect();
    let mut chart = Chart::bars("many", names);
    for index in 0..30 {
        chart = chart.with(Series::bars(format!("series {index}"), (0..400).map(f64::from)));
    }
    texts(&chart.svg());
    texts(
        &Chart::lines("long")
            .with(Series::line("x", (0..5000).map(|i| (f64::from(i), f64::from(i % 7)))))
            .svg(),
    );
}
