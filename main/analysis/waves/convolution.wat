;; The one operation of the wave network that takes time: a convolution over rows of channels, then ReLU.
;;
;; A row holds the channels of one moment, and rows follow each other, so that the inputs of one output are one run of
;; `taps` numbers (width times input channels). Outputs are made four channels and eight rows at a time. Sums are added
;; in one fixed order in single precision, which WebAssembly defines to the bit: every machine gives the same numbers.
(module
  (memory (export "memory") 1)

  ;; $input: the first of `taps` numbers of the first row. $weights: [group of four channels][tap][channel].
  ;; $rows: a multiple of eight. $groups: of four output channels. $taps: even. $floor: 0 for ReLU, -infinity for none.
  (func (export "convolve")
    (param $input i32) (param $inputChannels i32) (param $taps i32)
    (param $weights i32) (param $offsets i32)
    (param $output i32) (param $groups i32) (param $rows i32) (param $floor f32)
    (local $inputStride i32) (local $outputStride i32)
    (local $group i32) (local $row i32) (local $weight i32) (local $lastWeight i32) (local $to i32)
    (local $w v128) (local $offset v128) (local $least v128)
    (local $from0 i32) (local $sum0 v128)
    (local $from1 i32) (local $sum1 v128)
    (local $from2 i32) (local $sum2 v128)
    (local $from3 i32) (local $sum3 v128)
    (local $from4 i32) (local $sum4 v128)
    (local $from5 i32) (local $sum5 v128)
    (local $from6 i32) (local $sum6 v128)
    (local $from7 i32) (local $sum7 v128)
    (local.set $least (f32x4.splat (local.get $floor)))
    (local.set $inputStride (i32.shl (local.get $inputChannels) (i32.const 2)))
    (local.set $outputStride (i32.shl (local.get $groups) (i32.const 4)))
    (loop $groupsLoop
      (local.set $offset
        (v128.load (i32.add (local.get $offsets) (i32.shl (local.get $group) (i32.const 4)))))
      (local.set $to (i32.add (local.get $output) (i32.shl (local.get $group) (i32.const 4))))
      (local.set $from0 (local.get $input))
      (local.set $lastWeight
        (i32.add (local.get $weights) (i32.shl (local.get $taps) (i32.const 4))))
      (local.set $row (i32.const 0))
      (loop $rowsLoop
        (local.set $weight (local.get $weights))
        (local.set $sum0 (local.get $offset))
        (local.set $from1 (i32.add (local.get $from0) (local.get $inputStride))) (local.set $sum1 (local.get $offset))
        (local.set $from2 (i32.add (local.get $from1) (local.get $inputStride))) (local.set $sum2 (local.get $offset))
        (local.set $from3 (i32.add (local.get $from2) (local.get $inputStride))) (local.set $sum3 (local.get $offset))
        (local.set $from4 (i32.add (local.get $from3) (local.get $inputStride))) (local.set $sum4 (local.get $offset))
        (local.set $from5 (i32.add (local.get $from4) (local.get $inputStride))) (local.set $sum5 (local.get $offset))
        (local.set $from6 (i32.add (local.get $from5) (local.get $inputStride))) (local.set $sum6 (local.get $offset))
        (local.set $from7 (i32.add (local.get $from6) (local.get $inputStride))) (local.set $sum7 (local.get $offset))
        (loop $tapsLoop
          (local.set $w (v128.load (local.get $weight)))
          (local.set $sum0 (f32x4.add (local.get $sum0) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from0)))))
          (local.set $sum1 (f32x4.add (local.get $sum1) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from1)))))
          (local.set $sum2 (f32x4.add (local.get $sum2) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from2)))))
          (local.set $sum3 (f32x4.add (local.get $sum3) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from3)))))
          (local.set $sum4 (f32x4.add (local.get $sum4) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from4)))))
          (local.set $sum5 (f32x4.add (local.get $sum5) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from5)))))
          (local.set $sum6 (f32x4.add (local.get $sum6) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from6)))))
          (local.set $sum7 (f32x4.add (local.get $sum7) (f32x4.mul (local.get $w) (v128.load32_splat (local.get $from7)))))
          (local.set $w (v128.load offset=16 (local.get $weight)))
          (local.set $sum0 (f32x4.add (local.get $sum0) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from0)))))
          (local.set $sum1 (f32x4.add (local.get $sum1) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from1)))))
          (local.set $sum2 (f32x4.add (local.get $sum2) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from2)))))
          (local.set $sum3 (f32x4.add (local.get $sum3) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from3)))))
          (local.set $sum4 (f32x4.add (local.get $sum4) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from4)))))
          (local.set $sum5 (f32x4.add (local.get $sum5) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from5)))))
          (local.set $sum6 (f32x4.add (local.get $sum6) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from6)))))
          (local.set $sum7 (f32x4.add (local.get $sum7) (f32x4.mul (local.get $w) (v128.load32_splat offset=4 (local.get $from7)))))
          (local.set $from0 (i32.add (local.get $from0) (i32.const 8)))
          (local.set $from1 (i32.add (local.get $from1) (i32.const 8)))
          (local.set $from2 (i32.add (local.get $from2) (i32.const 8)))
          (local.set $from3 (i32.add (local.get $from3) (i32.const 8)))
          (local.set $from4 (i32.add (local.get $from4) (i32.const 8)))
          (local.set $from5 (i32.add (local.get $from5) (i32.const 8)))
          (local.set $from6 (i32.add (local.get $from6) (i32.const 8)))
          (local.set $from7 (i32.add (local.get $from7) (i32.const 8)))
          (br_if $tapsLoop
            (i32.ne (local.tee $weight (i32.add (local.get $weight) (i32.const 32))) (local.get $lastWeight))))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum0))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum1))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum2))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum3))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum4))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum5))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum6))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        (v128.store (local.get $to) (f32x4.pmax (local.get $least) (local.get $sum7))) (local.set $to (i32.add (local.get $to) (local.get $outputStride)))
        ;; $from7 stands behind the taps of the eighth row; the ninth begins a stride behind where the eighth did.
        (local.set $from0
          (i32.add
            (i32.sub (local.get $from7) (i32.shl (local.get $taps) (i32.const 2)))
            (local.get $inputStride)))
        (br_if $rowsLoop
          (i32.ne (local.tee $row (i32.add (local.get $row) (i32.const 8))) (local.get $rows))))
      (local.set $weights (local.get $lastWeight))
      (br_if $groupsLoop
        (i32.ne (local.tee $group (i32.add (local.get $group) (i32.const 1))) (local.get $groups))))))
