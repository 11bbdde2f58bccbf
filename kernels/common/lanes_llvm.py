"""How Numba compiles the functions and operators of lanes.py: each lane value is one LLVM vector of 64.

Lowered directly (no function in between), so that the compiler's front end has little to do. Every body here has its
NumPy twin in lanes.py; they are compared by a test.
"""

import operator

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin, models, register_model, type_callable

from numbluff_sim.kernels.common import lanes

WIDTH = lanes.WIDTH
I64 = ir.IntType(64)
LLVM_MASK = ir.VectorType(ir.IntType(1), WIDTH)


class LanesType(types.Type):
    """Numba type of a lane value: element width and sign."""

    def __init__(self, bits, signed):
        self.bits, self.signed = bits, signed
        self.vector = ir.VectorType(ir.IntType(bits), WIDTH)
        super().__init__(f"lanes_{'i' if signed else 'u'}{bits}")


class MaskType(types.Type):
    """Numba type of a mask."""

    def __init__(self):
        super().__init__("lanes_mask")


class PointerType(types.Type):
    """Numba type of a bare pointer to elements of a number type."""

    def __init__(self, element):
        self.element = element
        super().__init__(f"pointer_{element}")


U8, I8, U16, I16, MASK = LanesType(8, False), LanesType(8, True), LanesType(16, False), LanesType(16, True), MaskType()
SCALARS = (types.Integer, types.IntegerLiteral)


@register_model(LanesType)
class LanesModel(models.PrimitiveModel):
    def __init__(self, manager, t):
        super().__init__(manager, t, t.vector)


@register_model(MaskType)
class MaskModel(models.PrimitiveModel):
    def __init__(self, manager, t):
        super().__init__(manager, t, LLVM_MASK)


@register_model(PointerType)
class PointerModel(models.PrimitiveModel):
    def __init__(self, manager, t):
        super().__init__(manager, t, manager.lookup(t.element).get_value_type().as_pointer())


def splat(builder, vector, scalar):
    """A scalar in all lanes."""
    if isinstance(scalar, ir.Constant):
        return ir.Constant(vector, [ir.Constant(vector.element, scalar.constant)] * vector.count)
    undefined = ir.Constant(vector, ir.Undefined)
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(builder.insert_element(undefined, scalar, ir.IntType(32)(0)), undefined, zeros)


def widen(builder, value, have, bits):
    """A lane value of type `have` with elements of `bits`."""
    target = ir.VectorType(ir.IntType(bits), WIDTH)
    if have.bits == bits:
        return value
    if have.bits > bits:
        return builder.trunc(value, target)
    return builder.sext(value, target) if have.signed else builder.zext(value, target)


def adapt(context, builder, value, have, want):
    """A scalar or lane value as lanes of type `want`."""
    if isinstance(have, SCALARS):
        return splat(
            builder, want.vector, context.cast(builder, value, have, types.Integer(f"int{want.bits}", want.bits, True))
        )
    return widen(builder, value, have, want.bits)


def common(*ts):
    """The widest lane type among the arguments (signed and unsigned of one width do not mix), None without one."""
    have = [t for t in ts if isinstance(t, LanesType)]
    if not have or not all(isinstance(t, (LanesType, *SCALARS)) for t in ts):
        return None
    best = max(have, key=lambda t: t.bits)
    if any(t.bits == best.bits and t is not best for t in have):
        return None
    return best


PAIRS = ((LanesType, LanesType), (LanesType, types.Integer), (types.Integer, LanesType))


def binary(op, emit, compares=False):
    """Registers a binary operator or function over lane values and integers."""

    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            want = common(*args) if len(args) == 2 else None
            return (
                signature(MASK if compares else want, *(types.unliteral(a) for a in args)) if want is not None else None
            )

    def codegen(context, builder, sig, args):
        want = common(*sig.args)
        x, y = (adapt(context, builder, v, t, want) for v, t in zip(args, sig.args, strict=True))
        return emit(builder, x, y, want)

    for pair in PAIRS:
        lower_builtin(op, *pair)(codegen)


def compare(sign):
    return lambda b, x, y, t: (b.icmp_signed if t.signed else b.icmp_unsigned)(sign, x, y)


def extreme(sign):
    return lambda b, x, y, t: b.select(compare(sign)(b, x, y, t), x, y)


binary(operator.add, lambda b, x, y, t: b.add(x, y))
binary(operator.sub, lambda b, x, y, t: b.sub(x, y))
binary(operator.mul, lambda b, x, y, t: b.mul(x, y))
for _op, _sign in (
    (operator.eq, "=="),
    (operator.ne, "!="),
    (operator.lt, "<"),
    (operator.le, "<="),
    (operator.gt, ">"),
    (operator.ge, ">="),
):
    binary(_op, compare(_sign), compares=True)


def logical(op, emit):
    @infer_global(op)
    class Template(AbstractTemplate):
        def generic(self, args, kws):
            return signature(MASK, MASK, MASK) if args == (MASK, MASK) else None

    lower_builtin(op, MaskType, MaskType)(lambda context, builder, sig, args: emit(builder, *args))


logical(operator.and_, lambda b, x, y: b.and_(x, y))
logical(operator.or_, lambda b, x, y: b.or_(x, y))


@infer_global(operator.invert)
class InvertTemplate(AbstractTemplate):
    def generic(self, args, kws):
        return signature(MASK, MASK) if args == (MASK,) else None


@infer_global(operator.neg)
class NegTemplate(AbstractTemplate):
    def generic(self, args, kws):
        return signature(args[0], args[0]) if len(args) == 1 and isinstance(args[0], LanesType) else None


lower_builtin(operator.invert, MaskType)(lambda context, builder, sig, args: builder.not_(args[0]))
lower_builtin(operator.neg, LanesType)(lambda context, builder, sig, args: builder.neg(args[0]))


def function(python, typer, *patterns):
    """Registers a function of lanes.py: `typer(*types)` gives the result type or None."""
    type_callable(python)(lambda context: typer)

    def register(codegen):
        for pattern in patterns:
            lower_builtin(python, *pattern)(codegen)
        return codegen

    return register


for _python, _sign in ((lanes.smaller, "<"), (lanes.larger, ">")):

    def _typer(a, b):
        return common(a, b)

    def _lower(context, builder, sig, args, sign=_sign):
        x, y = (adapt(context, builder, v, t, sig.return_type) for v, t in zip(args, sig.args, strict=True))
        return extreme(sign)(builder, x, y, sig.return_type)

    function(_python, _typer, *PAIRS)(_lower)


@function(lanes.select, lambda m, a, b: common(a, b) if m is MASK else None, *((MaskType, *pair) for pair in PAIRS))
def lower_select(context, builder, sig, args):
    x, y = (adapt(context, builder, v, t, sig.return_type) for v, t in zip(args[1:], sig.args[1:], strict=True))
    return builder.select(args[0], x, y)


@function(
    lanes.pointer,
    lambda array: PointerType(array.dtype) if isinstance(array, types.Array) and array.layout == "C" else None,
    (types.Array,),
)
def lower_pointer(context, builder, sig, args):
    return context.make_array(sig.args[0])(context, builder, args[0]).data


def element_pointer(context, builder, sig, args):
    return builder.gep(args[0], [context.cast(builder, args[1], sig.args[1], types.int64)])


@infer_global(operator.getitem)
class PointerGet(AbstractTemplate):
    def generic(self, args, kws):
        indexed = len(args) == 2 and isinstance(args[0], PointerType) and isinstance(args[1], types.Integer)
        return signature(args[0].element, args[0], types.unliteral(args[1])) if indexed else None


@infer_global(operator.setitem)
class PointerSet(AbstractTemplate):
    def generic(self, args, kws):
        indexed = len(args) == 3 and isinstance(args[0], PointerType) and isinstance(args[1], types.Integer)
        return signature(types.void, args[0], types.unliteral(args[1]), args[0].element) if indexed else None


@lower_builtin(operator.getitem, PointerType, types.Integer)
def lower_pointer_get(context, builder, sig, args):
    return builder.load(element_pointer(context, builder, sig, args))


@lower_builtin(operator.setitem, PointerType, types.Integer, types.Float)
@lower_builtin(operator.setitem, PointerType, types.Integer, types.Integer)
def lower_pointer_set(context, builder, sig, args):
    builder.store(args[2], element_pointer(context, builder, sig, args))
    return context.get_dummy_value()


def row_pointer(context, builder, block, row, row_type, vector):
    offset = builder.mul(context.cast(builder, row, row_type, types.int64), I64(WIDTH))
    return builder.bitcast(builder.gep(block, [offset]), vector.as_pointer())


def byte_pointer(context, builder, sig, args):
    row, lane = (context.cast(builder, v, t, types.int64) for v, t in zip(args[1:3], sig.args[1:3], strict=True))
    return builder.gep(args[0], [builder.add(builder.mul(row, I64(WIDTH)), lane)])


@function(
    lanes.peek,
    lambda block, row, lane: types.int64 if isinstance(block, PointerType) else None,
    (PointerType, types.Integer, types.Integer),
)
def lower_peek(context, builder, sig, args):
    return builder.zext(builder.load(byte_pointer(context, builder, sig, args)), I64)


@function(
    lanes.poke,
    lambda block, row, lane, value: types.void if isinstance(block, PointerType) else None,
    (PointerType, types.Integer, types.Integer, types.Integer),
)
def lower_poke(context, builder, sig, args):
    builder.store(context.cast(builder, args[3], sig.args[3], types.uint8), byte_pointer(context, builder, sig, args))
    return context.get_dummy_value()


for _python, _t in ((lanes.load_u8, U8), (lanes.load_i8, I8), (lanes.load_i16, I16)):

    def _typer(block, row, t=_t):
        return t

    def _lower(context, builder, sig, args):
        return builder.load(
            row_pointer(context, builder, args[0], args[1], sig.args[1], sig.return_type.vector), align=1
        )

    type_callable(_python)(lambda context, t=_t: lambda block, row: t)
    lower_builtin(_python, PointerType, types.Integer)(_lower)

NUMBER = {8: I8, 16: I16}


@function(
    lanes.load_number, lambda block, row, zero: NUMBER.get(zero.bitwidth), (PointerType, types.Integer, types.Integer)
)
def lower_load_number(context, builder, sig, args):
    return builder.load(row_pointer(context, builder, args[0], args[1], sig.args[1], sig.return_type.vector), align=1)


@function(
    lanes.store,
    lambda block, row, value: types.void if isinstance(value, LanesType) else None,
    (PointerType, types.Integer, LanesType),
)
def lower_store(context, builder, sig, args):
    builder.store(args[2], row_pointer(context, builder, args[0], args[1], sig.args[1], sig.args[2].vector), align=1)
    return context.get_dummy_value()


@function(
    lanes.store_where,
    lambda block, row, mask, value: types.void if isinstance(value, LanesType) else None,
    (PointerType, types.Integer, MaskType, LanesType),
)
def lower_store_where(context, builder, sig, args):
    where = row_pointer(context, builder, args[0], args[1], sig.args[1], sig.args[3].vector)
    builder.store(builder.select(args[2], args[3], builder.load(where, align=1)), where, align=1)
    return context.get_dummy_value()


@function(lanes.count, lambda m: types.int64 if m is MASK else None, (MaskType,))
def lower_count(context, builder, sig, args):
    return builder.ctpop(builder.bitcast(args[0], I64))


@function(lanes.any_lane, lambda m: types.boolean if m is MASK else None, (MaskType,))
def lower_any(context, builder, sig, args):
    return builder.icmp_unsigned("!=", builder.bitcast(args[0], I64), I64(0))


@function(lanes.lane_bits, lambda m: types.uint64 if m is MASK else None, (MaskType,))
def lower_lane_bits(context, builder, sig, args):
    return builder.bitcast(args[0], I64)


@function(lanes.as_mask, lambda bits: MASK, (types.Integer,))
def lower_as_mask(context, builder, sig, args):
    return builder.bitcast(context.cast(builder, args[0], sig.args[0], types.uint64), LLVM_MASK)


@function(lanes.first_lane, lambda bits: types.int64, (types.Integer,))
def lower_first_lane(context, builder, sig, args):
    return builder.cttz(context.cast(builder, args[0], sig.args[0], types.uint64), ir.Constant(ir.IntType(1), 1))


@function(lanes.ones, lambda m: I8 if m is MASK else None, (MaskType,))
def lower_ones(context, builder, sig, args):
    return builder.zext(args[0], I8.vector)


for _python, _t in ((lanes.full, I8), (lanes.full_u8, U8), (lanes.full_i16, I16)):
    type_callable(_python)(lambda context, t=_t: lambda x: t)
    lower_builtin(_python, types.Integer)(
        lambda context, builder, sig, args: adapt(context, builder, args[0], sig.args[0], sig.return_type)
    )


@function(
    lanes.full_u16, lambda x: U16 if x is U16 or isinstance(x, types.Integer) else None, (types.Integer,), (LanesType,)
)
def lower_full_u16(context, builder, sig, args):
    return adapt(context, builder, args[0], sig.args[0], U16)


@function(lanes.full_number, lambda x, zero: NUMBER.get(zero.bitwidth), (types.Integer, types.Integer))
def lower_full_number(context, builder, sig, args):
    return adapt(context, builder, args[0], sig.args[0], sig.return_type)


@function(lanes.no_lane, lambda: MASK, ())
def lower_no_lane(context, builder, sig, args):
    return ir.Constant(LLVM_MASK, [0] * WIDTH)


for _python, _t in ((lanes.wide, I16), (lanes.to_u8, U8), (lanes.to_u16, U16), (lanes.to_i8, I8)):
    type_callable(_python)(lambda context, t=_t: lambda a: t if isinstance(a, LanesType) else None)
    lower_builtin(_python, LanesType)(
        lambda context, builder, sig, args: widen(builder, args[0], sig.args[0], sig.return_type.bits)
    )


@function(
    lanes.to_number,
    lambda a, zero: NUMBER.get(zero.bitwidth) if isinstance(a, LanesType) else None,
    (LanesType, types.Integer),
)
def lower_to_number(context, builder, sig, args):
    return widen(builder, args[0], sig.args[0], sig.return_type.bits)


@function(lanes.shift_right, lambda a, bits: a if isinstance(a, LanesType) else None, (LanesType, types.Integer))
def lower_shift_right(context, builder, sig, args):
    amount = adapt(context, builder, args[1], sig.args[1], sig.args[0])
    return (builder.ashr if sig.args[0].signed else builder.lshr)(args[0], amount)


@function(lanes.digit_sum, lambda bits: I16 if bits is U16 else None, (LanesType,))
def lower_digit_sum(context, builder, sig, args):
    def both(x, mask):
        return builder.and_(x, splat(builder, U16.vector, ir.IntType(16)(mask)))

    def shifted(x, amount):
        return builder.lshr(x, splat(builder, U16.vector, ir.IntType(16)(amount)))

    pairs = builder.add(both(args[0], 0x0F0F), both(shifted(args[0], 4), 0x0F0F))
    return builder.add(both(pairs, 0xFF), shifted(pairs, 8))


@function(
    lanes.take,
    lambda table, index: (
        {types.int16: I16, types.uint16: U16}.get(table.element) if isinstance(table, PointerType) else None
    ),
    (PointerType, LanesType),
)
def lower_take(context, builder, sig, args):
    # through memory, which is twice as fast as taking vectors apart; atomic, since the compiler would do that after all
    indices, taken = (cgutils.alloca_once(builder, vector) for vector in (args[1].type, sig.return_type.vector))
    builder.store(args[1], indices)
    bits = ir.IntType(16)
    first, first_taken = builder.bitcast(indices, bits.as_pointer()), builder.bitcast(taken, bits.as_pointer())
    for lane in range(WIDTH):
        at = builder.zext(builder.load_atomic(builder.gep(first, [I64(lane)]), "monotonic", 2), I64)
        builder.store_atomic(
            builder.load(builder.gep(args[0], [at])), builder.gep(first_taken, [I64(lane)]), "monotonic", 2
        )
    return builder.load(taken)


@function(lanes.within, lambda a, top: MASK if a is top else None, (LanesType, LanesType))
def lower_within(context, builder, sig, args):
    # as unsigned numbers, negative ones are beyond every top
    return builder.icmp_unsigned("<=", *args)


@function(lanes.absolute, lambda a: a if isinstance(a, LanesType) else None, (LanesType,))
def lower_absolute(context, builder, sig, args):
    return extreme(">")(builder, args[0], builder.neg(args[0]), sig.return_type)


def products(context, builder, sig, args):
    """bits and n as vectors of 32-bit elements."""
    wide = ir.VectorType(ir.IntType(32), WIDTH)
    return builder.zext(args[0], wide), builder.zext(adapt(context, builder, args[1], sig.args[1], U16), wide)


BITS_AND_N = ((LanesType, types.Integer), (LanesType, LanesType))


@function(lanes.high_product, lambda bits, n: U16 if bits is U16 else None, *BITS_AND_N)
def lower_high_product(context, builder, sig, args):
    x, y = products(context, builder, sig, args)
    return builder.trunc(builder.lshr(builder.mul(x, y), splat(builder, x.type, ir.IntType(32)(16))), U16.vector)


@function(lanes.low_product, lambda bits, n: U16 if bits is U16 else None, *BITS_AND_N)
def lower_low_product(context, builder, sig, args):
    return builder.mul(args[0], adapt(context, builder, args[1], sig.args[1], U16))


def reduce_add(builder, vector):
    bits, width = vector.type.element.width, vector.type.count
    name = f"llvm.vector.reduce.add.v{width}i{bits}"
    module = builder.module
    known = module.globals.get(name) or ir.Function(module, ir.FunctionType(vector.type.element, [vector.type]), name)
    return builder.call(known, [vector])


@function(lanes.total, lambda a: types.int64 if isinstance(a, LanesType) else None, (LanesType,))
def lower_total(context, builder, sig, args):
    # 64 lanes of 16 bits fit 32 bits
    return builder.sext(reduce_add(builder, widen(builder, args[0], sig.args[0], 32)), I64)


@function(lanes.total_product, lambda a, b: types.int64, (LanesType, LanesType))
def lower_total_product(context, builder, sig, args):
    # a product takes twice the bits; a sum of 64 of them the next width
    bits = 2 * max(t.bits for t in sig.args)
    x, y = (widen(builder, v, t, bits) for v, t in zip(args, sig.args, strict=True))
    products = builder.sext(builder.mul(x, y), ir.VectorType(ir.IntType(2 * bits), WIDTH))
    return builder.sext(reduce_add(builder, products), I64) if bits == 16 else reduce_add(builder, products)


@function(lanes.random_words, lambda words, offset: U16, (PointerType, types.Integer))
def lower_random_words(context, builder, sig, args):
    vector = ir.VectorType(I64, 16)
    z = builder.load(builder.bitcast(args[0], vector.as_pointer()), align=8)
    z = builder.add(z, splat(builder, vector, context.cast(builder, args[1], sig.args[1], types.uint64)))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = builder.mul(
            builder.xor(z, builder.lshr(z, splat(builder, vector, I64(shift)))), splat(builder, vector, I64(factor))
        )
    z = builder.xor(z, builder.lshr(z, splat(builder, vector, I64(31))))
    return builder.bitcast(z, U16.vector)
