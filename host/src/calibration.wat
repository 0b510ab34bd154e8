;; What the host measures itself with: work of the kinds that components do, in turn. Each call of `run` makes `rounds`
;; rounds over 4 kB of memory: a resonator over samples, then a checksum with a table and a branch, then sums in vectors.
(module
  (memory 1)
  (func (export "run") (param $rounds i32) (result i32)
    (local $at i32) (local $sum i32) (local $x f32) (local $y1 f32) (local $y2 f32) (local $z1 f32) (local $z2 f32)
    (local $lanes v128)
    loop $round
      i32.const 0
      local.set $at
      loop $samples
        ;; Two resonators beside each other, as a synthesiser has them.
        (local.set $x (f32.convert_i32_s (i32.load16_s (local.get $at))))
        (local.set $y2 (f32.sub
          (f32.mul (f32.const 1.9) (local.get $y1))
          (f32.add (f32.mul (f32.const 0.95) (local.get $y2)) (local.get $x))))
        (local.set $z2 (f32.sub
          (f32.mul (f32.const 1.7) (local.get $z1))
          (f32.add (f32.mul (f32.const 0.9) (local.get $z2)) (local.get $x))))
        (f32.store offset=4096 (local.get $at) (f32.add (local.get $y2) (local.get $z2)))
        (local.set $x (local.get $y1)) (local.set $y1 (local.get $y2)) (local.set $y2 (local.get $x))
        (local.set $x (local.get $z1)) (local.set $z1 (local.get $z2)) (local.set $z2 (local.get $x))
        (br_if $samples (i32.lt_u
          (local.tee $at (i32.add (local.get $at) (i32.const 4)))
          (i32.const 4096)))
      end
      i32.const 0
      local.set $at
      loop $bytes
        (local.set $sum (i32.xor
          (i32.shr_u (local.get $sum) (i32.const 8))
          (i32.load offset=8192 (i32.shl
            (i32.and (i32.xor (local.get $sum) (i32.load8_u offset=4096 (local.get $at))) (i32.const 255))
            (i32.const 2)))))
        (if (i32.and (local.get $sum) (i32.const 1))
          (then (local.set $sum (i32.add (local.get $sum) (local.get $at)))))
        (i32.store offset=8192 (i32.and (local.get $at) (i32.const 1020)) (local.get $sum))
        (br_if $bytes (i32.lt_u
          (local.tee $at (i32.add (local.get $at) (i32.const 4)))
          (i32.const 4096)))
      end
      i32.const 0
      local.set $at
      loop $vectors
        (local.set $lanes (i32x4.add
          (local.get $lanes)
          (i32x4.dot_i16x8_s (v128.load (local.get $at)) (v128.load offset=4096 (local.get $at)))))
        (v128.store offset=12288 (local.get $at) (local.get $lanes))
        (br_if $vectors (i32.lt_u
          (local.tee $at (i32.add (local.get $at) (i32.const 16)))
          (i32.const 4096)))
      end
      (br_if $round (local.tee $rounds (i32.sub (local.get $rounds) (i32.const 1))))
    end
    (i32.add (local.get $sum) (i32x4.extract_lane 0 (local.get $lanes)))))
