//! FNV-1a, 64 bits: the hash with which YCSB and Mixgraph scatter keys.
//!
//! A better hash exists for every other purpose. This one is here because the loads are defined by it.

const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The hash of some bytes.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(OFFSET_BASIS, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// The hash of a number as YCSB takes it: lowest byte first.
pub(crate) fn hash_number(x: u64) -> u64 {
    hash(&x.to_le_bytes())
}

/// The hash of a number as Mixgraph takes it: highest byte first.
pub(crate) fn hash_number_big_endian(x: u64) -> u64 {
    hash(&x.to_be_bytes())
}

/// Both benchmarks read the hash as a signed number and drop the sign before they take a remainder.
pub(crate) fn without_sign(hash: u64) -> u64 {
    hash.cast_signed().unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_published_test_vectors() {
        assert_eq!(hash(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(hash(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(hash(b"foobar"), 0x8594_4171_f739_67e8);
    }

    #[test]
    fn the_two_byte_orders_differ() {
        assert_eq!(hash_number(0x6162), hash(b"ba\0\0\0\0\0\0"));
        assert_eq!(hash_number_big_endian(0x6162), hash(b"\0\0\0\0\0\0ab"));
    }

    #[test]
    fn dropping_the_sign_never_overflows() {
        assert_eq!(without_sign(1 << 63), 1 << 63);
        assert_eq!(without_sign(u64::MAX), 1);
        assert_eq!(without_sign(7), 7);
    }
}
