//! Fitting the weights of a network: gradients of batches of positions, and the Adam optimiser.
//!
//! The network is that of `network`, with floating-point weights: 1 stands for 1. The loss of a position is the cross
//! entropy between its target, an expected result, and the logistic function of the output. A batch is divided into
//! parts whose gradients are added in order, so the weights do not depend on the number of threads.

use super::feature_rows::packed_size;
use super::network::{PLANES, bucket_of};
use crate::parallel;
use crate::work::Monitor;

/// The number of parts of a batch.
const PARTS: usize = 8;
/// The number of units of the hidden layer that are processed together, in vector registers.
const LANES: usize = 64;
/// The decay of the means of gradients and of their squares.
const BETAS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-8;
/// The maximum absolute values of the weights of each layer: the integers that they become must fit in 16 bits.
const LIMITS: [f32; 4] = [1.98, 2.0, 8.0, 8.0];

/// The shape of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkShape {
    /// The number of squares of the board.
    pub squares: usize,
    /// The size of the hidden layer, a multiple of 64.
    pub hidden: usize,
    /// The number of output buckets.
    pub buckets: usize,
    /// The number of pieces from which on the last output bucket is used.
    pub full: usize,
}

/// A network that is being fitted, with the state of the optimiser.
#[derive(Clone, Debug)]
pub struct NetworkTrainer {
    shape: NetworkShape,
    /// The weights of the inputs, by input and hidden unit; the biases of the hidden layer; the output weights, by
    /// bucket, for the side to move and for the opponent; and the biases of the outputs.
    weights: Vec<f32>,
    means: Vec<f32>,
    squares: Vec<f32>,
    steps: i32,
}

/// Positions with the expected results for the side to move, from 0 to 1.
#[derive(Clone, Copy, Debug)]
pub struct Examples<'a> {
    /// Packed positions: see `feature_rows`.
    pub positions: &'a [u8],
    /// The target of each position.
    pub targets: &'a [f32],
}

/// The sum of the losses of some positions, and its gradient with respect to the weights.
struct Gradient {
    weights: Vec<f32>,
    loss: f64,
}

/// The active inputs of a position, from the point of view of the side to move and from that of the opponent.
#[derive(Default)]
struct Inputs {
    features: [Vec<usize>; 2],
    bucket: usize,
}

impl NetworkShape {
    /// Return the numbers of weights of each layer, in the order of `NetworkTrainer::weights`.
    pub fn sizes(&self) -> [usize; 4] {
        let hidden = self.hidden;
        [PLANES * self.squares * hidden, hidden, 2 * self.buckets * hidden, self.buckets]
    }

    /// Return why there is no network of this shape, or None if there is one.
    fn problem(&self) -> Option<String> {
        if self.hidden == 0 || !self.hidden.is_multiple_of(LANES) {
            return Some(format!("the hidden layer must have a multiple of {LANES} units, not {}", self.hidden));
        }
        let is_empty = self.squares == 0 || self.buckets == 0 || self.full == 0;
        is_empty.then(|| "a network must have at least one square, output bucket and piece".to_owned())
    }
}

impl NetworkTrainer {
    /// Create a trainer with the first weights. The error says why they do not fit the shape.
    pub fn new(shape: NetworkShape, weights: Vec<f32>) -> Result<Self, String> {
        if let Some(problem) = shape.problem() {
            return Err(problem);
        }
        let count = shape.sizes().iter().sum();
        if weights.len() != count {
            return Err(format!("expected {count} weights, got {}", weights.len()));
        }
        let (means, squares) = (vec![0.0; count], vec![0.0; count]);
        Ok(NetworkTrainer { shape, weights, means, squares, steps: 0 })
    }

    /// Return the weights.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Return the number of bytes of a packed position.
    pub fn position_size(&self) -> usize {
        packed_size(self.shape.squares)
    }

    /// Return the sum of the losses, or None if the monitor cancelled the work.
    pub fn loss(&self, examples: Examples, threads: usize, monitor: &dyn Monitor) -> Option<f64> {
        Some(self.gradients::<false>(examples, threads, monitor)?.iter().map(|part| part.loss).sum())
    }

    /// Return the mean gradient, in the order of the weights, or None if the monitor cancelled the work.
    pub fn gradient(&self, examples: Examples, threads: usize, monitor: &dyn Monitor) -> Option<Vec<f32>> {
        let parts = self.gradients::<true>(examples, threads, monitor)?;
        let scale = 1.0 / examples.targets.len().max(1) as f32;
        let sum = |index| parts.iter().map(|part| part.weights[index]).sum::<f32>();
        Some((0..self.weights.len()).map(|index| scale * sum(index)).collect())
    }

    /// Take a step of the optimiser with this learning rate, and return the sum of the losses before it. Return None if
    /// the monitor cancelled the work; then the weights do not change.
    pub fn step(&mut self, examples: Examples, rate: f32, threads: usize, monitor: &dyn Monitor) -> Option<f64> {
        let parts = self.gradients::<true>(examples, threads, monitor)?;
        let scale = 1.0 / examples.targets.len().max(1) as f32;
        self.steps += 1;
        let [mean_scale, square_scale] = BETAS.map(|beta| 1.0 / (1.0 - beta.powi(self.steps)));
        let mut begin = 0;
        for (size, limit) in self.shape.sizes().into_iter().zip(LIMITS) {
            for index in begin..begin + size {
                let slope = scale * parts.iter().map(|part| part.weights[index]).sum::<f32>();
                let (mean, square) = (&mut self.means[index], &mut self.squares[index]);
                *mean += (1.0 - BETAS[0]) * (slope - *mean);
                *square += (1.0 - BETAS[1]) * (slope * slope - *square);
                let change = rate * *mean * mean_scale / ((*square * square_scale).sqrt() + EPSILON);
                self.weights[index] = (self.weights[index] - change).clamp(-limit, limit);
            }
            begin += size;
        }
        Some(parts.iter().map(|part| part.loss).sum())
    }

    /// Return the losses of the parts of a batch, with their gradients if `LEARN`.
    fn gradients<const LEARN: bool>(
        &self,
        examples: Examples,
        threads: usize,
        monitor: &dyn Monitor,
    ) -> Option<Vec<Gradient>> {
        let size = examples.targets.len().div_ceil(PARTS).max(1);
        let positions = examples.positions.chunks(size * self.position_size());
        let parts: Vec<Examples> = positions
            .zip(examples.targets.chunks(size))
            .map(|(positions, targets)| Examples { positions, targets })
            .collect();
        parallel::map(&parts, threads, monitor, |part| Some(self.part_gradient::<LEARN>(*part)))
    }

    /// Return the loss of a part, with its gradient if `LEARN`.
    fn part_gradient<const LEARN: bool>(&self, examples: Examples) -> Gradient {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // Safety: the processor has AVX2.
            #[allow(unsafe_code)]
            return unsafe { self.part_gradient_avx2::<LEARN>(examples) };
        }
        self.part_gradient_portable::<LEARN>(examples)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn part_gradient_avx2<const LEARN: bool>(&self, examples: Examples) -> Gradient {
        self.part_gradient_portable::<LEARN>(examples)
    }

    #[inline(always)]
    fn part_gradient_portable<const LEARN: bool>(&self, examples: Examples) -> Gradient {
        let Layers { input, input_bias, output, output_bias } = Layers::of(&self.shape, &self.weights);
        let hidden = self.shape.hidden;
        let mut gradient = Gradient { weights: vec![0.0; if LEARN { self.weights.len() } else { 0 }], loss: 0.0 };
        let mut inputs = Inputs::default();
        let mut units = [vec![0.0; hidden], vec![0.0; hidden]];
        for (packed, target) in examples.positions.chunks_exact(self.position_size()).zip(examples.targets) {
            inputs.read(&self.shape, packed);
            let weights = output[inputs.bucket * 2 * hidden..][..2 * hidden].split_at(hidden);
            let mut sum = output_bias[inputs.bucket];
            for ((units, features), weights) in units.iter_mut().zip(&inputs.features).zip([weights.0, weights.1]) {
                units.copy_from_slice(input_bias);
                add_columns(units, input, features);
                sum += activate(units, weights);
            }
            let logit = sum.clamp(-30.0, 30.0);
            let probability = 1.0 / (1.0 + (-logit).exp());
            // The cross entropy, in a form that does not lose precision.
            gradient.loss += f64::from(logit.max(0.0) - logit * target + (-logit.abs()).exp().ln_1p());
            if LEARN {
                let layers = LayersMut::of(&self.shape, &mut gradient.weights);
                layers.add_gradient(&inputs, probability - target, &mut units, [weights.0, weights.1]);
            }
        }
        gradient
    }
}

/// The weights of each layer.
struct Layers<'a> {
    input: &'a [f32],
    input_bias: &'a [f32],
    output: &'a [f32],
    output_bias: &'a [f32],
}

/// The gradient for each layer.
struct LayersMut<'a> {
    input: &'a mut [f32],
    input_bias: &'a mut [f32],
    output: &'a mut [f32],
    output_bias: &'a mut [f32],
}

impl<'a> Layers<'a> {
    fn of(shape: &NetworkShape, weights: &'a [f32]) -> Self {
        let [first, second, third, _] = shape.sizes();
        let (input, rest) = weights.split_at(first);
        let (input_bias, rest) = rest.split_at(second);
        let (output, output_bias) = rest.split_at(third);
        Layers { input, input_bias, output, output_bias }
    }
}

impl<'a> LayersMut<'a> {
    #[inline(always)]
    fn of(shape: &NetworkShape, weights: &'a mut [f32]) -> Self {
        let [first, second, third, _] = shape.sizes();
        let (input, rest) = weights.split_at_mut(first);
        let (input_bias, rest) = rest.split_at_mut(second);
        let (output, output_bias) = rest.split_at_mut(third);
        LayersMut { input, input_bias, output, output_bias }
    }

    /// Add the gradient of a position. `error` is the derivative of the loss for the output; `units` are the limited
    /// hidden units, which are replaced by their derivatives.
    #[inline(always)]
    fn add_gradient(self, inputs: &Inputs, error: f32, units: &mut [Vec<f32>; 2], output: [&[f32]; 2]) {
        let hidden = self.input_bias.len();
        self.output_bias[inputs.bucket] += error;
        let slopes = &mut self.output[inputs.bucket * 2 * hidden..][..2 * hidden];
        for (viewer, slopes) in slopes.chunks_exact_mut(hidden).enumerate() {
            for (((slope, weight), unit), bias) in
                slopes.iter_mut().zip(output[viewer]).zip(&mut units[viewer]).zip(&mut *self.input_bias)
            {
                *slope += error * *unit * *unit;
                let is_limited = *unit <= 0.0 || *unit >= 1.0;
                *unit = if is_limited { 0.0 } else { 2.0 * error * weight * *unit };
                *bias += *unit;
            }
            for feature in &inputs.features[viewer] {
                let column = &mut self.input[feature * hidden..][..hidden];
                column.iter_mut().zip(&units[viewer]).for_each(|(slope, unit)| *slope += unit);
            }
        }
    }
}

/// Add the columns of the active inputs to the sums of the hidden layer.
#[inline(always)]
fn add_columns(sums: &mut [f32], input: &[f32], features: &[usize]) {
    let hidden = sums.len();
    for (index, tile) in sums.as_chunks_mut::<LANES>().0.iter_mut().enumerate() {
        let mut total = *tile;
        for feature in features {
            let column = &input[feature * hidden + index * LANES..][..LANES];
            total.iter_mut().zip(column).for_each(|(sum, weight)| *sum += weight);
        }
        *tile = total;
    }
}

/// Limit the sums to the range from 0 to 1, and return the sum of their squares times weights.
#[inline(always)]
fn activate(sums: &mut [f32], weights: &[f32]) -> f32 {
    let mut total = [0.0; LANES];
    for (tile, weights) in sums.as_chunks_mut::<LANES>().0.iter_mut().zip(weights.as_chunks::<LANES>().0) {
        for ((unit, weight), total) in tile.iter_mut().zip(weights).zip(&mut total) {
            *unit = unit.clamp(0.0, 1.0);
            *total += *unit * *unit * weight;
        }
    }
    total.iter().sum()
}

impl Inputs {
    /// Read a packed position.
    fn read(&mut self, shape: &NetworkShape, packed: &[u8]) {
        self.features.iter_mut().for_each(Vec::clear);
        let turn = usize::from(packed[0] & 1);
        let sets = &packed[1..];
        let bytes = shape.squares.div_ceil(8);
        for byte in 0..bytes {
            let kings = sets[2 * bytes + byte];
            for side in 0..2 {
                let mut pieces = sets[side * bytes + byte];
                while pieces != 0 {
                    let bit = pieces.trailing_zeros() as usize;
                    pieces &= pieces - 1;
                    let (square, is_king) = (8 * byte + bit, usize::from(kings >> bit & 1));
                    for (features, viewer) in self.features.iter_mut().zip([turn, 1 - turn]) {
                        let plane = 2 * usize::from(side != viewer) + is_king;
                        let relative = if viewer == 0 { square } else { shape.squares - 1 - square };
                        features.push(plane * shape.squares + relative);
                    }
                }
            }
        }
        self.bucket = bucket_of(self.features[0].len(), shape.buckets, shape.full);
    }
}
