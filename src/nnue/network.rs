//! The weights of a net, what they must keep to, and their file.

use std::fmt;

use super::INPUTS;

/// Neurons of the hidden layer per perspective.
pub const HIDDEN: usize = 1024;
/// What stands for 1.0 in accumulators, feature weights and feature biases.
pub const QA: i32 = 255;
/// What stands for 1.0 in output weights.
pub const QB: i32 = 64;
/// The most output neurons, of which the number of men chooses one.
pub const MAX_BUCKETS: usize = 8;

/// The largest output weight: its product with [`QA`] has to fit 16 bits.
const MAX_OUTPUT_WEIGHT: u16 = 127;
/// The most men on a board, and with that the most inputs set in a perspective.
const MAX_MEN: i32 = 32;
/// The largest scale.
const MAX_SCALE: i32 = 10_000;
/// The longest description in bytes.
const MAX_DESCRIPTION: usize = 4096;

const MAGIC: [u8; 16] = *b"VERMILION-NNUE\r\n";
const VERSION: u32 = 1;
/// Magic, version, architecture hash, checksum; the checksum covers all that follows.
const HEAD: usize = MAGIC.len() + 3 * 4;
/// The longest file of a net, in bytes.
pub const MAX_FILE: usize = HEAD + 4 * 4 + MAX_DESCRIPTION + body_length(MAX_BUCKETS);

/// One value for each neuron of a perspective, on a cache line's border.
#[repr(C, align(64))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lanes(pub [i16; HIDDEN]);

/// One output neuron.
#[repr(C, align(64))]
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Weights of the hidden neurons in units of 1 / [`QB`]: of the side to move, then of
    /// the other side.
    pub weights: [[i16; HIDDEN]; 2],
    /// The bias in units of 1 / ([`QA`]² · [`QB`]).
    pub bias: i32,
}

/// A net: 1,260 inputs → 2 × 1,024 (a perspective each, squared clipped ReLU) → one of up
/// to eight outputs.
///
/// Its numbers are such that no kernel can overflow: accumulators stay within 16 bits for
/// any 32 men, sums of the output layer within 32 bits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Network {
    feature_weights: Box<[Lanes]>,
    feature_bias: Lanes,
    outputs: Vec<Output>,
    scale: i32,
    description: String,
}

impl Network {
    /// A net of these weights.
    ///
    /// `feature_weights` has a row for each input and is, like `feature_bias`, in units of
    /// 1 / [`QA`]. `scale` is the number of centipawns for which the odds of winning grow by
    /// a factor of e: the value v in centipawns wins with probability 1 / (1 + e^(−v/scale)).
    ///
    /// # Errors
    /// If there are too few or too many rows or outputs, or values that could overflow.
    pub fn new(
        feature_weights: Box<[[i16; HIDDEN]]>,
        feature_bias: [i16; HIDDEN],
        outputs: Vec<Output>,
        scale: i32,
    ) -> Result<Self, NetworkError> {
        if feature_weights.len() != INPUTS {
            return Err(NetworkError::Inputs(feature_weights.len()));
        }
        if outputs.is_empty() || outputs.len() > MAX_BUCKETS {
            return Err(NetworkError::Buckets(outputs.len()));
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Scale(scale));
        }
        let mut largest = [0; HIDDEN];
        for row in &feature_weights {
            for (largest, weight) in largest.iter_mut().zip(row) {
                *largest = weight.unsigned_abs().max(*largest);
            }
        }
        for (lane, (&largest, bias)) in largest.iter().zip(feature_bias).enumerate() {
            let reach = i32::from(bias.unsigned_abs()) + MAX_MEN * i32::from(largest);
            if reach > i32::from(i16::MAX) {
                return Err(NetworkError::Accumulator { lane, reach });
            }
        }
        for (bucket, output) in outputs.iter().enumerate() {
            output.check(bucket)?;
        }
        Ok(Self {
            feature_weights: feature_weights.iter().copied().map(Lanes).collect(),
            feature_bias: Lanes(feature_bias),
            outputs,
            scale,
            description: String::new(),
        })
    }

    /// A row of weights for each input, in units of 1 / [`QA`].
    pub fn feature_weights(&self) -> &[Lanes] {
        &self.feature_weights
    }

    /// What the accumulators are without any man, in units of 1 / [`QA`].
    pub fn feature_bias(&self) -> &Lanes {
        &self.feature_bias
    }

    /// The output neurons, from few men to many, see [`super::bucket`].
    pub fn outputs(&self) -> &[Output] {
        &self.outputs
    }

    /// Centipawns per unit of the logit.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// What the file says about the net; empty for one that was not read from a file.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The value in centipawns of an output neuron's sum, which is in units of
    /// 1 / ([`QA`]² · [`QB`]). Rounds toward zero, so that it is an odd function.
    #[inline]
    pub fn centipawns(&self, sum: i32) -> i32 {
        // A logit is below i32::MAX / (QA² · QB) < 517 and the scale at most 10,000.
        (i64::from(sum) * i64::from(self.scale) / i64::from(QA * QA * QB)) as i32
    }

    /// The file of the net. A description of more than 4,096 bytes is cut.
    pub fn to_bytes(&self, description: &str) -> Vec<u8> {
        let end = (0..=MAX_DESCRIPTION.min(description.len()))
            .rev()
            .find(|&end| description.is_char_boundary(end));
        let description = &description[..end.unwrap_or(0)];
        let mut body = Vec::with_capacity(description.len() + body_length(self.outputs.len()) + 16);
        for number in [HIDDEN, self.outputs.len()] {
            body.extend((number as u32).to_le_bytes());
        }
        body.extend(self.scale.to_le_bytes());
        body.extend((description.len() as u32).to_le_bytes());
        body.extend(description.as_bytes());
        let mut lanes = |lanes: &[i16; HIDDEN]| {
            body.extend(lanes.iter().flat_map(|value| value.to_le_bytes()));
        };
        lanes(&self.feature_bias.0);
        for row in &self.feature_weights {
            lanes(&row.0);
        }
        for output in &self.outputs {
            for weights in &output.weights {
                body.extend(weights.iter().flat_map(|value| value.to_le_bytes()));
            }
            body.extend(output.bias.to_le_bytes());
        }
        let mut file = MAGIC.to_vec();
        let hash = architecture_hash(HIDDEN as u32, self.outputs.len() as u32);
        for number in [VERSION, hash, crc32fast::hash(&body)] {
            file.extend(number.to_le_bytes());
        }
        file.extend(body);
        file
    }

    /// Reads a net's file.
    ///
    /// # Errors
    /// Says what is wrong with it: not a net, cut short, of another architecture, damaged,
    /// or with values that no net may have.
    pub fn read(file: &[u8]) -> Result<Self, NetworkError> {
        let mut reader = Reader { rest: file };
        let magic = &MAGIC[..MAGIC.len().min(file.len())];
        if file.is_empty() || !file.starts_with(magic) {
            return Err(NetworkError::NotANet);
        }
        reader.take(MAGIC.len())?;
        let version = reader.number()?;
        if version != VERSION {
            return Err(NetworkError::Version(version));
        }
        let (hash, checksum) = (reader.number()?, reader.number()?);
        let (hidden, buckets) = (reader.number()?, reader.number()?);
        if hidden != HIDDEN as u32
            || !(1..=MAX_BUCKETS as u32).contains(&buckets)
            || hash != architecture_hash(hidden, buckets)
        {
            return Err(NetworkError::Architecture {
                hash,
                hidden,
                buckets,
            });
        }
        let scale = reader.number()? as i32;
        let described = reader.number()? as usize;
        if described > MAX_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        let description = reader.take(described)?;
        let expected = file.len() - reader.rest.len() + body_length(buckets as usize);
        if file.len() != expected {
            let found = file.len();
            return Err(NetworkError::Length { expected, found });
        }
        if crc32fast::hash(&file[HEAD..]) != checksum {
            return Err(NetworkError::Checksum);
        }
        let description =
            std::str::from_utf8(description).map_err(|_| NetworkError::Description)?;
        let bias = reader.lanes()?;
        let weights = (0..INPUTS)
            .map(|_| reader.lanes())
            .collect::<Result<_, _>>()?;
        let outputs = (0..buckets)
            .map(|_| {
                Ok(Output {
                    weights: [reader.lanes()?, reader.lanes()?],
                    bias: reader.number()? as i32,
                })
            })
            .collect::<Result<_, _>>()?;
        Ok(Self {
            description: description.to_owned(),
            ..Self::new(weights, bias, outputs, scale)?
        })
    }
}

impl Output {
    /// Refuses weights whose products or sums could overflow.
    fn check(&self, bucket: usize) -> Result<(), NetworkError> {
        let mut sum = i64::from(self.bias.unsigned_abs());
        for &weight in self.weights.iter().flatten() {
            if weight.unsigned_abs() > MAX_OUTPUT_WEIGHT {
                return Err(NetworkError::OutputWeight { bucket, weight });
            }
            sum += i64::from(weight.unsigned_abs()) * i64::from(QA * QA);
        }
        if sum > i64::from(i32::MAX) {
            return Err(NetworkError::OutputSum { bucket, sum });
        }
        Ok(())
    }
}

/// The bytes of bias, feature weights and outputs.
const fn body_length(buckets: usize) -> usize {
    (1 + INPUTS) * HIDDEN * 2 + buckets * (2 * HIDDEN * 2 + 4)
}

/// The checksum of the architecture's name.
fn architecture_hash(hidden: u32, buckets: u32) -> u32 {
    crc32fast::hash(format!("{INPUTS}x{hidden}-screlu-psq-b{buckets}").as_bytes())
}

/// Takes numbers from the front of a file.
struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Result<&'a [u8], NetworkError> {
        let (taken, rest) = self
            .rest
            .split_at_checked(bytes)
            .ok_or(NetworkError::Truncated)?;
        self.rest = rest;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, NetworkError> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    fn lanes(&mut self) -> Result<[i16; HIDDEN], NetworkError> {
        let mut lanes = [0; HIDDEN];
        for (lane, bytes) in lanes.iter_mut().zip(self.take(HIDDEN * 2)?.chunks_exact(2)) {
            *lane = i16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Ok(lanes)
    }
}

/// Why something is no net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkError {
    /// The file does not begin as a net's file does.
    NotANet,
    /// The file has another version of the format.
    Version(u32),
    /// The net is for another architecture.
    Architecture {
        /// The architecture's hash.
        hash: u32,
        /// Its hidden neurons per perspective.
        hidden: u32,
        /// Its outputs.
        buckets: u32,
    },
    /// The file ends within its head.
    Truncated,
    /// The file is shorter or longer than a net of its architecture.
    Length {
        /// The right length in bytes.
        expected: usize,
        /// The length in bytes.
        found: usize,
    },
    /// The checksum does not fit the content.
    Checksum,
    /// The description is too long or not UTF-8.
    Description,
    /// The number of rows of feature weights is not [`INPUTS`].
    Inputs(usize),
    /// The number of outputs is not 1 to [`MAX_BUCKETS`].
    Buckets(usize),
    /// The scale is not 1 to 10,000.
    Scale(i32),
    /// Bias and weights of a hidden neuron could leave 16 bits.
    Accumulator {
        /// The neuron.
        lane: usize,
        /// How far it could get.
        reach: i32,
    },
    /// An output weight is beyond ±127.
    OutputWeight {
        /// The output.
        bucket: usize,
        /// The weight.
        weight: i16,
    },
    /// The sum of an output could leave 32 bits.
    OutputSum {
        /// The output.
        bucket: usize,
        /// How far it could get.
        sum: i64,
    },
}

impl fmt::Display for NetworkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANet => write!(f, "this is not a net of Vermilion"),
            Self::Version(version) => write!(
                f,
                "the net's file has format {version}, this engine reads format {VERSION}"
            ),
            Self::Architecture {
                hash,
                hidden,
                buckets,
            } => write!(
                f,
                "the net has another architecture ({hidden} hidden neurons, {buckets} outputs, \
                 hash {hash:08x}), this engine uses {INPUTS}x{HIDDEN} with 1 to {MAX_BUCKETS} outputs"
            ),
            Self::Truncated => write!(f, "the net's file is truncated within its head"),
            Self::Length { expected, found } => write!(
                f,
                "the net's file is {}: it has {found} bytes instead of {expected}",
                if found < expected {
                    "truncated"
                } else {
                    "too long"
                }
            ),
            Self::Checksum => write!(
                f,
                "the net's file is damaged: its checksum does not fit its content"
            ),
            Self::Description => write!(
                f,
                "the net's description is longer than {MAX_DESCRIPTION} bytes or not UTF-8"
            ),
            Self::Inputs(rows) => write!(
                f,
                "the net has weights for {rows} inputs instead of {INPUTS}"
            ),
            Self::Buckets(outputs) => write!(
                f,
                "the net has {outputs} outputs, 1 to {MAX_BUCKETS} are possible"
            ),
            Self::Scale(scale) => {
                write!(f, "the net's scale is {scale}, not 1 to {MAX_SCALE}")
            }
            Self::Accumulator { lane, reach } => write!(
                f,
                "hidden neuron {lane} could reach {reach}, more than {} allows",
                i16::MAX
            ),
            Self::OutputWeight { bucket, weight } => write!(
                f,
                "output {bucket} has the weight {weight}, at most ±{MAX_OUTPUT_WEIGHT} is possible"
            ),
            Self::OutputSum { bucket, sum } => write!(
                f,
                "output {bucket} could reach {sum}, more than {} allows",
                i32::MAX
            ),
        }
    }
}

impl std::error::Error for NetworkError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nnue::sample::random_network;

    #[test]
    fn any_net_comes_back_from_its_file() {
        for seed in 0..24 {
            let network = random_network(seed, seed as usize % MAX_BUCKETS + 1);
            let description = "è".repeat(seed as usize * 89);
            let file = network.to_bytes(&description);
            let back = Network::read(&file).expect("a written net can be read");
            assert_eq!(back.description(), description);
            assert_eq!(back.feature_weights, network.feature_weights);
            assert_eq!(back.feature_bias, network.feature_bias);
            assert_eq!(back.outputs, network.outputs);
            assert_eq!(back.scale, network.scale);
            assert_eq!(back.to_bytes(&description), file);
        }
    }

    #[test]
    fn a_long_description_is_cut_between_letters() {
        let file = random_network(1, 1).to_bytes(&("a".to_owned() + &"è".repeat(3000)));
        let network = Network::read(&file).expect("the description was cut");
        assert_eq!(network.description().len(), MAX_DESCRIPTION - 1);
    }

    #[test]
    fn a_truncated_file_is_refused_wherever_it_ends() {
        let file = random_network(2, 2).to_bytes("truncated");
        for length in (0..100).chain((100..file.len()).step_by(9973)) {
            let error = Network::read(&file[..length]).expect_err("a part is no net");
            match length {
                0 => assert_eq!(error, NetworkError::NotANet),
                1..=52 => assert_eq!(error, NetworkError::Truncated, "{length}"),
                _ => assert!(error.to_string().contains("truncated: it has"), "{error}"),
            }
        }
        let longer = [&file[..], &[0]].concat();
        let error = Network::read(&longer).expect_err("a byte too many");
        assert!(error.to_string().contains("too long"), "{error}");
    }

    #[test]
    fn a_foreign_file_is_refused() {
        for foreign in [&b"MZ\x90\0"[..], &[0; 1 << 20], b"VERMILION-NNUE\n"] {
            assert_eq!(Network::read(foreign), Err(NetworkError::NotANet));
        }
        let mut other = random_network(3, 1).to_bytes("");
        other[16] = 2;
        assert_eq!(Network::read(&other), Err(NetworkError::Version(2)));
        other[16] = 1;
        let wider = 2 * HIDDEN as u32;
        other[28..32].copy_from_slice(&wider.to_le_bytes());
        let error = Network::read(&other).expect_err("it says it is wider");
        let named = format!("{wider} hidden neurons");
        assert!(error.to_string().contains(&named), "{error}");
    }

    #[test]
    fn a_flipped_bit_is_noticed_anywhere() {
        let file = random_network(4, 8).to_bytes("flipped");
        for at in (0..60).chain((60..file.len()).step_by(7919)) {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << (at % 8);
            let read = Network::read(&damaged);
            assert!(read.is_err(), "byte {at} is not covered");
            if at >= 60 {
                assert_eq!(read, Err(NetworkError::Checksum));
            }
        }
    }

    /// The parts of a net that is at the border of every invariant.
    fn extreme() -> (Box<[[i16; HIDDEN]]>, [i16; HIDDEN], Vec<Output>) {
        let weights = vec![[-1023; HIDDEN]; INPUTS].into();
        let weight = 16_384 / HIDDEN as i16;
        let output = Output {
            weights: [[-weight; HIDDEN], [weight; HIDDEN]],
            bias: i32::MAX - 512 * 64 * QA * QA,
        };
        (weights, [i16::MAX - 32 * 1023; HIDDEN], vec![output])
    }

    #[test]
    fn values_that_could_overflow_are_refused() {
        let build = |change: fn(&mut [[i16; HIDDEN]], &mut [i16; HIDDEN], &mut Vec<Output>)| {
            let (mut weights, mut bias, mut outputs) = extreme();
            change(&mut weights, &mut bias, &mut outputs);
            Network::new(weights, bias, outputs, 200).map(|_| ())
        };
        assert_eq!(build(|_, _, _| ()), Ok(()));
        assert_eq!(
            build(|weights, _, _| weights[1259][255] = 1024),
            Err(NetworkError::Accumulator {
                lane: 255,
                reach: 32_799
            })
        );
        assert_eq!(
            build(|_, bias, _| bias[7] += 1),
            Err(NetworkError::Accumulator {
                lane: 7,
                reach: 32_768
            })
        );
        assert_eq!(
            build(|_, _, outputs| outputs[0].weights[1][3] = -128),
            Err(NetworkError::OutputWeight {
                bucket: 0,
                weight: -128
            })
        );
        assert_eq!(
            build(|_, _, outputs| outputs[0].bias += 1),
            Err(NetworkError::OutputSum {
                bucket: 0,
                sum: i64::from(i32::MAX) + 1
            })
        );
        assert_eq!(
            build(|_, _, outputs| outputs.clear()),
            Err(NetworkError::Buckets(0))
        );
        let (weights, bias, outputs) = extreme();
        for scale in [0, -1, 10_001] {
            let built = Network::new(weights.clone(), bias, outputs.clone(), scale);
            assert_eq!(built, Err(NetworkError::Scale(scale)));
        }
        let short = Network::new(weights[1..].into(), bias, outputs, 200);
        assert_eq!(short, Err(NetworkError::Inputs(INPUTS - 1)));
    }

    #[test]
    fn centipawns_are_an_odd_function_of_the_sum() {
        let network = random_network(5, 1);
        for sum in [0, 1, 4_161_599, 4_161_600, 1 << 30, i32::MAX] {
            assert_eq!(network.centipawns(-sum), -network.centipawns(sum));
        }
        assert_eq!(network.centipawns(QA * QA * QB), network.scale());
    }
}
