# hash
// slashes
/* block */ /* another */
/* multi
 * line */ locals /* a */ { # b
  a = /* c */ 1 /* d */ + /* e */ 2 // f
  b = [ /* g */ ] # h
  c = { /* i */ }
  d = upper( /* j */ "x" /* k */ )
  e = ( # l
    1 // m
    /* n */ + 1
  )
  f = true /* o */ ? /* p */ 1 /* q */ : /* r */ 2
  g = "# not // a /* comment */"
  h = [1, 2][ /* s */ 0 /* t */ ]
} # u
locals {}
locals { i = 1 } // one line
output "x" { value = [local.a, local.b, local.c, local.d, local.e, local.f, local.g, local.h, local.i] } /* end */
output y {
  value = 1
}
output "z" {

  value = 2

}
variable "v" { default = { a = 1 } }
output "v" { value = var.v /* no newline at end */ }
