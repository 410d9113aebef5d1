//! Every set of kernels against the portable one.

use super::*;
use crate::nnue::sample::{Numbers, random_network};
use crate::nnue::{HIDDEN, QA};

/// Numbers within ±bound, its ends and the clamp's ends more often than by chance.
fn lanes(numbers: &mut Numbers, bound: i16) -> Lanes {
    let ends = [
        bound,
        -bound,
        0,
        -1,
        1,
        QA as i16 - 1,
        QA as i16,
        QA as i16 + 1,
    ];
    Lanes(std::array::from_fn(|_| match numbers.below(3) {
        0 => ends[numbers.below(ends.len())].clamp(-bound, bound),
        _ => numbers.within(bound),
    }))
}

fn others() -> Vec<&'static Kernels> {
    Kernels::available()
        .filter(|kernels| kernels.name != "portable")
        .collect()
}

fn portable() -> &'static Kernels {
    Kernels::named("portable").expect("it runs everywhere")
}

#[test]
fn updates_are_equal_to_the_bit() {
    let mut numbers = Numbers::new(1);
    for _ in 0..200 {
        let mut pair = |bound| [lanes(&mut numbers, bound), lanes(&mut numbers, bound)];
        let from = pair(i16::MAX);
        let rows = [pair(1023), pair(i16::MAX), pair(500)];
        let [add, first, second] = rows.each_ref().map(|[red, black]| [red, black]);
        let update = |kernels: &Kernels| {
            let mut results = [from.clone(), from.clone()];
            kernels.add1_sub1(&from, add, first, &mut results[0]);
            kernels.add1_sub2(&from, add, [first, second], &mut results[1]);
            results
        };
        let expected = update(portable());
        assert_ne!(expected[0], expected[1]);
        for kernels in others() {
            assert!(update(kernels) == expected, "{kernels:?}");
        }
    }
}

#[test]
fn sums_of_rows_are_equal_to_the_bit() {
    let mut numbers = Numbers::new(2);
    for count in 0..=32 {
        let from = lanes(&mut numbers, i16::MAX);
        let rows: Vec<Lanes> = (0..count).map(|_| lanes(&mut numbers, i16::MAX)).collect();
        let rows: Vec<&Lanes> = rows.iter().collect();
        let sum = |kernels: &Kernels| {
            let mut to = Lanes([0; HIDDEN]);
            kernels.add_all(&from, &rows, &mut to);
            to
        };
        let expected = sum(portable());
        assert_eq!(count == 0, expected == from);
        for kernels in others() {
            assert!(sum(kernels) == expected, "{kernels:?}");
        }
    }
}

#[test]
fn output_sums_are_equal_to_the_bit() {
    let mut numbers = Numbers::new(3);
    let network = random_network(3, 8);
    // The greatest weights and sums that a net may have, with either sign: 256 lanes are as
    // many as can have the greatest weight.
    let apart = 2 * HIDDEN / 256;
    let weight = |lane: usize| if lane.is_multiple_of(apart) { 127 } else { 0 };
    let extreme = |sign: i16| Output {
        weights: [(); 2].map(|()| std::array::from_fn(|lane| weight(lane) * sign)),
        bias: i32::from(sign) * (i32::MAX - 256 * 127 * QA * QA),
    };
    let outputs = [extreme(1), extreme(-1)];
    for _ in 0..200 {
        let (own, other) = (lanes(&mut numbers, i16::MAX), lanes(&mut numbers, 600));
        for output in network.outputs().iter().chain(&outputs) {
            let expected = portable().dot([&own, &other], output);
            for kernels in others() {
                assert_eq!(kernels.dot([&own, &other], output), expected, "{kernels:?}");
            }
        }
    }
    let full = Lanes([i16::MAX; HIDDEN]);
    for kernels in Kernels::available() {
        assert_eq!(kernels.dot([&full, &full], &outputs[0]), i32::MAX);
        assert_eq!(kernels.dot([&full, &full], &outputs[1]), -i32::MAX);
    }
}

#[test]
fn kernels_are_found_by_name_and_the_error_names_those_that_are_there() {
    assert_eq!(portable().name(), "portable");
    let error = Kernels::named("mmx").expect_err("nobody has those");
    let text = error.to_string();
    assert!(text.contains("mmx") && text.ends_with("portable"), "{text}");
    let first = Kernels::available().next().map(Kernels::name);
    assert_eq!(first, Some(Kernels::best().name()));
}
