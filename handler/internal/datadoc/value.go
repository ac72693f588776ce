package datadoc

// Value is a piece of data with its order kept.
type Value struct {
	Kind  Kind
	Text  string   // of a scalar, as shown
	Names []string // of an object
	Items []Value  // of an object or list
}

// Kind says what a value is.
type Kind int

// The kinds.
const (
	Scalar Kind = iota
	Object
	List
	Null
)

// IsScalar tells a value without others inside.
func (v Value) IsScalar() bool { return v.Kind == Scalar || v.Kind == Null }
