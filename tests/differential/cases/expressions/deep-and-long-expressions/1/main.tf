locals {
  sum    = 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1 + 1
  parens = ((((((((((((((((((((((((((((((((((((((((1))))))))))))))))))))))))))))))))))))))))
  lists  = [[[[[[[[[[[[[[[[[[[["deep"]]]]]]]]]]]]]]]]]]]]
  conds  = false ? 1 : false ? 2 : false ? 3 : false ? 4 : false ? 5 : false ? 6 : false ? 7 : 8
  nots   = !!!!!!!!!!true
  negs   = - - - - - - 5
  calls  = upper(lower(upper(lower(upper(lower(upper(lower("x"))))))))
  index  = { a = { b = { c = { d = { e = { f = [[["found"]]] } } } } } }.a.b.c.d.e.f[0][0][0]
  str    = "${"${"${"${"${"${"x"}"}"}"}"}"}"
  strs   = "a${"b${"c${"d${"e${"f"}"}"}"}"}"
  logic  = true && true || false && false || true && !false == true && 1 < 2 && 2 >= 2 && 3 != 4
  fors   = [for a in [1, 2] : [for b in [3, 4] : [for c in [5, 6] : [for d in [7] : a * b * c * d]]]]
  multi = (
    1 +
    2 *
    3 -
    4 /
    2
  )
  ops    = 2 + 3 * 4 - 10 / 5 % 3 == 12 && 1 + 1 > 1 || false ? "yes" : "no"
  tern   = (true ? [1, 2] : [3])[0] + ({ a = 1 }["a"])
  spaces = 1+2*3-4/2
  tight  = true?1:2
  neg_idx = [1,2,3][length([1,2,3])-1]
  cmp    = [1<2,1<=1,2>1,2>=2,1==1,1!=2,!false,-1<0]
  obj    = {a=1,b={c=2},"d"=3}
  str_op = "${1+1}${"a"}${true&&false}"
}
output "all" { value = [local.sum, local.parens, local.lists, local.conds, local.nots, local.negs, local.calls, local.index, local.str, local.strs, local.logic, local.fors, local.multi, local.ops, local.tern, local.spaces, local.tight, local.neg_idx, local.cmp, local.obj, local.str_op] }
